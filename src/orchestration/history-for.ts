import { append, type History } from "../context/history.ts";
import { summarizeHistory } from "../context/summarize-history.ts";
import type { HistoryMode } from "../crew.ts";
import type { EventPlace } from "../events.ts";
import { saidBy } from "../messages.ts";
import type { Scope } from "../run/scope.ts";
import type { CrewRun } from "./crew-run.ts";
import type { Ask } from "./patterns/chain.ts";

/** What a sub-crew is called on, and what was said in the calling crew up to then. */
interface Calling {
  readonly input: string;
  readonly history: History;
  readonly mode: HistoryMode;
}

/** What a sub-crew gets to see of its caller's history. What is handed over as its input is not repeated in it. */
export async function historyFor(
  crewRun: CrewRun,
  { input, history, mode }: Calling,
  scope: Scope,
  place: EventPlace,
  ask: Ask,
): Promise<History | undefined> {
  const said = history.message.text === input ? history.before : history;
  const request = crewRun.original === input ? undefined : crewRun.original;
  switch (mode) {
    case "none":
      return undefined;
    case "full":
      return said;
    case "summary":
      return (await summaryBy(crewRun, input, history, scope, place, ask)) ?? summarizeHistory(said, request);
  }
}

/** The summary of the crew's summarizer; undefined where it has none, or that failed. */
async function summaryBy(
  crewRun: CrewRun,
  input: string,
  history: History,
  scope: Scope,
  place: EventPlace,
  ask: Ask,
): Promise<History | undefined> {
  const { agents, settings } = crewRun.crew;
  const agent = settings.summarizer === undefined ? undefined : agents.get(settings.summarizer);
  if (agent === undefined) return undefined;
  const at = { ...place, path: `${place.path}/summary`, agent: agent.id };
  const task = `Summarize the conversation so far for a crew that knows nothing of it and is asked:\n\n${input}`;
  const callPath = `${place.crew ?? crewRun.crew.name}/${agent.id}`;
  const question = { agent, input: task, history, scope, place: at, original: crewRun.original, callPath };
  const asked = await ask(question, crewRun);
  if (asked.type === "failed") return undefined;
  return append(undefined, saidBy(agent.id, asked.text));
}
