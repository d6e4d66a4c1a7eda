import { append, type History, toMessages } from "../context/history.ts";
import { summarizeHistory } from "../context/summarize-history.ts";
import type { Budget } from "../run/budget.ts";
import type { Scope } from "../run/scope.ts";
import type { Agent, HistoryMode } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { createMessage } from "../vocabulary/messages.ts";
import { type CrewRun, formatCallPath } from "./crew-run.ts";
import { OwnQuota } from "./own-quota.ts";

/** What somebody is called on, and what was said around the caller up to then. */
interface Calling {
  readonly callee: "a crew" | "an agent";
  readonly input: string;
  /** The texts that the input is put together from: they are not repeated. */
  readonly handed: readonly string[];
  readonly history: History | undefined;
  readonly mode: HistoryMode;
  /** What the user asked for. */
  readonly original: string;
  readonly budget?: Budget | undefined;
}

/** What a crew gets to see of its caller's history: what the call says, else what `settings.history` says, else a summary. */
export function historyForCrew(
  crewRun: CrewRun,
  { input, history, mode, budget }: Pick<Calling, "input" | "history" | "budget"> & Partial<Pick<Calling, "mode">>,
  scope: Scope,
  place: EventPlace,
): Shown | Promise<Shown> {
  const { crew, original } = crewRun;
  const calling: Calling = {
    callee: "a crew",
    input,
    handed: [input],
    history,
    mode: mode ?? crew.settings.history ?? "summary",
    original,
    budget,
  };
  return historyFor(crewRun, calling, scope, place);
}

type Shown = History | undefined;

/** What a callee gets to see of its caller's history: at once, where nobody need be asked for a summary. */
function historyFor(crewRun: CrewRun, calling: Calling, scope: Scope, place: EventPlace): Shown | Promise<Shown> {
  const { handed, history, mode, original } = calling;
  const newest = history?.message.text ?? "";
  const said = newest === "" || handed.includes(newest) ? history?.before : history;
  switch (mode) {
    case "none":
      return undefined;
    case "full":
      return said;
    case "summary": {
      const request = handed.includes(original) ? undefined : original;
      const summarizer = findSummarizer(crewRun, calling, place);
      if (summarizer === undefined) return summarizeHistory(said, request);
      const made = summaryBy(summarizer, crewRun, calling, scope, place);
      return made.then((summary) => summary ?? summarizeHistory(said, request));
    }
  }
}

/** What each of the agents gets to see that a pattern leads to: what `settings.history` says, and what was broadcast to it. */
export async function historyForAgents(
  crewRun: CrewRun,
  calling: Omit<Calling, "callee" | "mode">,
  scope: Scope,
  place: EventPlace,
): Promise<(agent: string) => History | undefined> {
  const { crew, broadcasts } = crewRun;
  const mode = crew.settings.history ?? "none";
  const seen = await historyFor(crewRun, { ...calling, callee: "an agent", mode }, scope, place);
  return (agent) => withBroadcasts(seen, broadcasts.get(agent));
}

/** Whether patterns show agents what was said at all; not by default. */
export function isHistoryShown({ crew }: CrewRun): boolean {
  return (crew.settings.history ?? "none") !== "none";
}

function withBroadcasts(seen: History | undefined, broadcasts: History | undefined): History | undefined {
  if (seen === undefined || broadcasts === undefined) return seen ?? broadcasts;
  const known = new Set(toMessages(seen).map(({ text }) => text));
  return toMessages(broadcasts)
    .filter(({ text }) => !known.has(text))
    .reduce<History>(append, seen);
}

/** Who is to sum up what was said; undefined where nobody is, nothing was said, or it is itself at work. */
function findSummarizer({ crew }: CrewRun, { history }: Calling, place: EventPlace): Agent | undefined {
  const { summarizer } = crew.settings;
  if (summarizer === undefined || history === undefined || isOfSummary(place)) return undefined;
  return crew.agents.get(summarizer);
}

/** What the summarizer makes of it; undefined where it failed. */
async function summaryBy(
  agent: Agent,
  crewRun: CrewRun,
  { callee, input, history, original, budget }: Calling,
  scope: Scope,
  place: EventPlace,
): Promise<Shown> {
  // What it wrote already is handed on as it is.
  if (history?.before === undefined && history?.message.role === "agent" && history.message.agent === agent.id)
    return history;
  const at = { ...place, path: `${place.path}/${SUMMARY}`, agent: agent.id };
  const task = `Summarize the conversation so far for ${callee} that knows nothing of it and is asked:\n\n${input}`;
  const callPath = formatCallPath(crewRun, agent.id);
  const asked = await crewRun.world.callAgent(
    { agent, input: task, history, scope, place: at, original, callPath, budget, ownQuota: new OwnQuota() },
    crewRun,
  );
  if (asked.type === "failed") return undefined;
  return append(undefined, createMessage(agent.id, asked.text));
}

/** The part of a place at which the summarizer works. Those that it calls are not shown a summary of its making. */
const SUMMARY = "summary";

/** Whether it is a place of the summarizer, of a later stage of its chain, or of somebody who works for one of them. */
function isOfSummary({ path }: EventPlace): boolean {
  return path.split("/").some((part) => part === SUMMARY || part.startsWith(`${SUMMARY}.`));
}
