import { frameInMarkdown, type Section } from "../../context/frame.ts";
import type { CrewRun } from "../crew-run.ts";
import { handedOn } from "../given-to.ts";
import type { Move } from "../move.ts";
import type { Round } from "../round.ts";
import { inputOfCall } from "./sub-crew.ts";

/** What a human needs to know to approve a move: from whom, to whom, why, and all that would be handed over. */
export function describeMove(crewRun: CrewRun, { baton, answer }: Round, move: Move): string {
  const handedAnswer = handedOn(baton, answer);
  // Humans read the answer without its signals, which the reason names.
  const shown = handedAnswer === answer.text ? answer.shown : undefined;
  const { goal, why, handed } = explain(crewRun, baton.agent, handedAnswer, shown ?? handedAnswer, move);
  const said = (answer.shown ?? answer.text).trim();
  const isHandedOver = said === "" || handed.some(([, text]) => text.includes(said));
  const parts = [
    `Agent '${baton.agent}' wants to hand over to ${goal} (${why}):`,
    ...(isHandedOver ? [] : [said]),
    ...handed.flatMap(([heading, text]) => (heading === undefined ? [text] : [`${heading}:`, text])),
  ];
  return parts.join("\n\n");
}

interface Explained {
  readonly goal: string;
  readonly why: string;
  /** The texts that are handed over, each under a heading that says to whom, unless it is the answer as it is. */
  readonly handed: readonly (readonly [heading: string | undefined, text: string])[];
}

function explain(crewRun: CrewRun, from: string, answer: string, shown: string, move: Move): Explained {
  switch (move.type) {
    case "route":
      return { goal: `'${move.to}'`, why: move.reason, handed: [[undefined, shown]] };
    case "parallel": {
      const { agents = [], crews = [], forEach } = crewRun.crew.groups.get(move.group) ?? {};
      const members = [...agents, ...crews].join(", ");
      const goal =
        forEach === undefined
          ? `'${move.group}', the group of ${members}`
          : `'${move.group}', which runs ${members} on each item of ${forEach.items}`;
      return { goal, why: move.reason, handed: [[undefined, shown]] };
    }
    case "pass":
      return {
        goal: `'${move.to}'`,
        why: `${move.via}: ${move.reason}`,
        handed: [handedTo(move.to, move.sections)],
      };
    case "together":
      return {
        goal: `'${move.group}'`,
        why: move.passes.map(({ to, reason }) => `transfer to ${to}: ${reason}`).join("; "),
        handed: move.passes.map(({ to, sections }) => handedTo(to, sections)),
      };
    case "sub_crew": {
      const crews = move.call.crews.map((name) => `'${name}'`).join(", ");
      const input = inputOfCall(crewRun, move.call, from, answer);
      return {
        goal: `crew ${crews}`,
        why: move.reason,
        handed: [input === answer ? [undefined, shown] : [`For ${crews}`, input]],
      };
    }
    case "end":
    case "pause":
    case "external":
    case "retry":
    case "repair":
      // Nothing is handed over; a gate holds none of these.
      return { goal: move.type, why: move.type, handed: [] };
  }
}

function handedTo(to: string, sections: readonly Section[]): readonly [string, string] {
  return [`'${to}' would be given`, frameInMarkdown(sections)];
}
