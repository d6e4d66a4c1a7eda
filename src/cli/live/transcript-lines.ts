import { explainChoice } from "../../views/explain-choice.ts";
import { explainLeft } from "../../views/explain-end.ts";
import { explainRefusal } from "../../views/explain-refusal.ts";
import { describeMissingHolder, findDescription } from "../../views/log-lines.ts";
import type { Progress } from "../../views/progress.ts";
import type { Crew } from "../../vocabulary/crew.ts";
import type { BatonEvent, EventOf } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import { blockLines } from "./block-lines.ts";
import { countCells, cut } from "./cells.ts";
import { cleanLine } from "./clean-text.ts";
import type { Look } from "./look.ts";

/** What follows a block, drawn with the arrows of `baton graph`. */
interface Ending {
  readonly arrow: "──▶" | "╌╌▷" | "──■" | "──‖" | "──✗" | "──↺";
  readonly to: string;
  readonly why?: string;
  /** The signal that decided it. */
  readonly signal?: string | undefined;
}

/** What an event leaves on the screen for good, given what was going on before it and after it. */
export function transcriptLines(
  event: BatonEvent,
  before: Progress,
  after: Progress,
  crew: Crew,
  look: Look,
  columns: number,
): string[] {
  const { style } = look;
  const line = (start: string, words: string) =>
    `${start}  ${style("dim", cut(cleanLine(words), columns - countCells(start) - 2))}`.trimEnd();
  if (event.type === "run.started") {
    const note = describeMissingHolder(event);
    const noted = note === undefined ? [] : [line(style("yellow", "!"), note)];
    return [line(style("bold", crew.name), event.data.input), ...noted, ""];
  }

  const ending = findEnding(event, before);
  const isDecided = ({ data }: EventOf<"signal.emitted">) => data.signal === ending?.signal;
  const besides = event.type.startsWith("signal.") ? [] : before.signals.filter((signal) => !isDecided(signal));
  const decided = before.signals.find(isDecided);
  const isOpen = before.isOpen || after.finished.length > 0;
  return [
    ...besides.map((signal) =>
      line(`${style("dim", "├─")} ${style("cyan", formatSignal(signal))}`, describeSignal(signal)),
    ),
    ...after.finished.flatMap((block) => blockLines(block, look, columns)),
    ...listTrouble(event, before).map((text) => line(`${style("dim", "├─")} ${style("yellow", "!")}`, text)),
    ...(ending === undefined ? [] : [endingLine(ending), ""]),
  ];

  function endingLine({ arrow, to, why = "" }: Ending): string {
    const lead = decided === undefined ? "" : ` ${style("cyan", formatSignal(decided))} `;
    const corner = (isOpen ? "╰" : "╶") + (decided === undefined ? "" : "─");
    const start = `${style("dim", corner)}${lead}${style("dim", arrow)} ${style("bold", cleanLine(to))}`;
    return line(start, (decided === undefined ? "" : describeSignal(decided)) || why);
  }

  /** The signal, and how it was spelled if otherwise. */
  function formatSignal({ data: { signal, level, token } }: EventOf<"signal.emitted">): string {
    return cut(cleanLine(level === "exact" ? signal : `${signal} ≈ ${token}`), columns - 20);
  }

  function describeSignal(event: EventOf<"signal.emitted">): string {
    const { deprecated } = event.data;
    return deprecated === undefined ? (findDescription(event, crew) ?? "") : `deprecated: ${deprecated}`;
  }
}

function findEnding(event: BatonEvent, before: Progress): Ending | undefined {
  switch (event.type) {
    case "handoff": {
      const { via, reason, circular } = event.data;
      const signal = via === "transfer" ? undefined : /^signal (.*)$/.exec(reason)?.[1];
      const why = circular ? `circular: ${reason}` : reason;
      const to = event.crew === undefined ? event.data.to : `${event.crew}/${event.data.to}`;
      return { arrow: via === "fallback" ? "╌╌▷" : "──▶", to, why, signal };
    }
    case "classification":
      return { arrow: "──▶", to: nameSpeaker({ ...event, agent: event.data.agent }), why: explainChoice(event.data) };
    case "crew.left": {
      const { crew, status, signal } = event.data;
      const why = explainLeft(event.data) ?? "";
      return { arrow: status === "failed" ? "──✗" : "──■", to: `${crew} ${status}`, why, signal };
    }
    case "run.paused": {
      const [first, ...others] = before.signals;
      const isHeld = ["signal", "gate", "external"].includes(event.data.reason) && others.length === 0;
      return { arrow: "──‖", to: "paused", signal: isHeld ? first?.data.signal : undefined };
    }
    case "run.completed":
      return { arrow: "──■", to: "end", signal: event.data.signal };
    case "run.failed":
      return { arrow: "──✗", to: "failed" };
    case "run.cancelled":
      return { arrow: "──■", to: "cancelled" };
    case "agent.started":
      return before.isOpen ? { arrow: "──↺", to: event.agent ?? "", why: "asked again" } : undefined;
    default:
      return undefined;
  }
}

/** Signals of answers that are on the screen already; those of others are told with their words. */
function listTrouble(event: BatonEvent, before: Progress): readonly string[] {
  switch (event.type) {
    case "signal.unbound":
    case "signal.rejected":
      return before.isOpen ? [event.data.message] : [];
    case "handoff.skipped":
      return [`no handoff to ${event.data.to}: ${event.data.reason}`];
    case "handoff.refused":
      return [`no handoff to ${event.data.to}: ${explainRefusal(event.data)}`];
    case "external.delivered":
      return event.data.failures;
    default:
      return [];
  }
}
