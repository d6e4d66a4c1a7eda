import { append, type History } from "../context/history.ts";
import { handOver } from "./baton.ts";
import { chooseEntry } from "./choose-entry.ts";
import { conduct } from "./conduct.ts";
import type { CrewOutcome, CrewRun } from "./crew-run.ts";

/** Gives the baton to whoever begins on an input, and has it passed on until the crew's run ends. */
export function beginCrew(crewRun: CrewRun, input: string, history: History | undefined): Promise<CrewOutcome> {
  const begin = (first: string) =>
    conduct(crewRun, handOver(first, input, append(history, { role: "user", text: input }), "line"));
  const entry = chooseEntry(crewRun, input);
  return typeof entry === "string" ? begin(entry) : entry.then(begin);
}
