import { loadCrew, script } from "../src/index.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { writeCrew } from "./write-crew.ts";

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** A crew of one agent with these tools. */
export function crewWith(
  tools: string,
  names: readonly string[],
  files: Readonly<Record<string, string>> = {},
): string {
  return writeCrew({
    "crew.yaml": `version: "2.0"\nname: desk\nagents: [clerk]\ntools: ${tools}\n`,
    "agents/clerk.md": `---\ndescription: works\ntools: [${names.join(", ")}]\n---\nWork.`,
    "package.json": "{}",
    ...files,
  });
}

/** What each call gives the model, one after the other. */
export async function callTools(folder: string, calls: readonly Call[], env: Readonly<Record<string, string>> = {}) {
  const replies = script({ clerk: [...calls.map((call) => ({ tools: [call] })), "Done."] });
  const events: BatonEvent[] = [];
  const crew = await loadCrew(folder, { script: replies, env: { PATH: process.env["PATH"], ...env } });
  const result = await crew.run("Go", { onEvent: (event) => void events.push(event) });
  const given = events.flatMap((event) =>
    event.type === "tool.completed"
      ? [event.data.result]
      : event.type === "tool.failed"
        ? [`error: ${event.data.message}`]
        : [],
  );
  return { given, result, events };
}
