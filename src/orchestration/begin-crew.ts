import { append, type History } from "../context/history.ts";
import { handOver } from "./baton.ts";
import { chooseEntry } from "./choose-entry.ts";
import { conduct } from "./conduct.ts";
import type { CrewOutcome, CrewRun } from "./crew-run.ts";
import { conductGuarded } from "./patterns/guard-crew.ts";

/** Gives the baton to whoever begins on an input, and has it passed on until the crew's run ends. */
export function beginCrew(crewRun: CrewRun, input: string, history: History | undefined): Promise<CrewOutcome> {
  return guardCrew(crewRun, input, (passed) => begin(crewRun, passed, history));
}

/** Runs a crew between its guards, if it has any. */
export function guardCrew(
  crewRun: CrewRun,
  input: string,
  conduct: (input: string) => Promise<CrewOutcome>,
): Promise<CrewOutcome> {
  const { guards } = crewRun.crew;
  return guards === undefined ? conduct(input) : conductGuarded(crewRun, guards, input, conduct);
}

function begin(crewRun: CrewRun, input: string, history: History | undefined): Promise<CrewOutcome> {
  const passBaton = (first: string) =>
    conduct(crewRun, handOver(first, input, append(history, { role: "user", text: input }), "line"));
  const entry = chooseEntry(crewRun, input);
  return typeof entry === "string" ? passBaton(entry) : entry.then(passBaton);
}
