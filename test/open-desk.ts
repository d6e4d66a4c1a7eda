import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CrewDefinition, defineCrew, type Model, type Store } from "../src/index.ts";

/** A crew that people talk to. */
export const desk: CrewDefinition = {
  name: "desk",
  models: ["m/m"],
  agents: [
    { id: "triage", description: "reads", prompt: "Read.", specialties: ["everything"] },
    { id: "billing", description: "bills", prompt: "Bill.", specialties: ["money", "refunds"] },
    { id: "tech", description: "mends", prompt: "Mend.", domain: "machines", specialties: ["cables"] },
  ],
  routing: {
    signals: {
      triage: [{ signal: "[BILLING]", target: "billing" }],
      billing: [
        { signal: "[TECH]", target: "tech" },
        { signal: "[ASK]", type: "pause" },
        { signal: "[DONE]", target: "" },
      ],
      tech: [{ signal: "[DONE]", target: "" }],
    },
  },
};

type Reply = string | Error | undefined;

/** A crew that gives these replies, in order, and what its agents got to see. One that is not there never comes. */
export function openDesk(replies: readonly Reply[], store?: Store, definition = desk) {
  const seen: string[][] = [];
  const call: Model["call"] = async ({ agent, messages }) => {
    const reply = replies[seen.length];
    const words = messages().map((message) => `${"agent" in message ? message.agent : "user"}: ${message.text}`);
    seen.push([agent, ...words]);
    if (reply === undefined) return new Promise(() => {});
    if (reply instanceof Error) throw reply;
    return { text: reply, toolCalls: [], finish: "stop" };
  };
  const models = { "m/m": { name: "m/m", call } };
  return { crew: defineCrew(definition, { models, ...(store && { store }) }), seen };
}

/** A file for a store that is not there yet. */
export const newFile = () => join(mkdtempSync(join(tmpdir(), "baton-talks-")), ".baton", "journal.sqlite");
