import { handOver } from "../baton.ts";
import type { CrewRun } from "../crew-run.ts";
import { findAgent } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { historyForAgents, isHistoryShown } from "../history-for.ts";
import type { Pass } from "../move.ts";
import { pass } from "../pass.ts";
import type { Next, Round } from "../round.ts";

/** Passes the work on as an agent's own pattern wants it; the next agent sees of the crew's history what the settings say. */
export function passOn(
  crewRun: CrewRun,
  { baton, place }: Pick<Round, "baton" | "place">,
  move: Pass,
  from = baton.agent,
): Next | Promise<Next> {
  const { to, via, reason, sections, deferred, team } = move;
  const refused = pass(crewRun, place, { from, to, via, reason });
  if (refused !== undefined) return { type: "end", outcome: refused };
  const input = frameFor(findAgent(crewRun.crew, to), sections, place, crewRun);
  const { history } = baton;
  const next = handOver(to, input, history, "passed", deferred, team, sections);
  if (!isHistoryShown(crewRun)) return { type: "baton", baton: next };
  const { original, scope } = crewRun;
  const handed = sections.map(({ text }) => text);
  return historyForAgents(crewRun, { input, handed, history, original }, scope, place).then((shownTo) => ({
    type: "baton",
    baton: { ...next, own: shownTo(to) },
  }));
}
