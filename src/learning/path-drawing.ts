import type { PathFigures } from "../journal/handoff-record.ts";
import { type Expectation, estimateSuccessRate } from "./expect-success.ts";

/** Paths prepared for drawing, crew by crew. Width shows traffic, colour shows success. */
export interface PathDrawing {
  readonly crew: string;
  readonly boxes: readonly PathBox[];
  readonly arrows: readonly PathArrow[];
}

interface PathBox {
  /** Letters and digits only, because names may contain anything. */
  readonly id: string;
  readonly name: string;
  /** Whether the box is the start of runs and not an agent. */
  readonly isStart: boolean;
}

interface PathArrow {
  readonly from: PathBox;
  readonly to: PathBox;
  /** From 0 to 1, relative to the busiest arrow. */
  readonly weight: number;
  readonly colour: string;
  readonly label: string;
}

/** From bad to good. Colour-blind readers can tell the colours apart, also in print. */
const colours: readonly { readonly from: number; readonly colour: string }[] = [
  { from: 0, colour: "#b2182b" },
  { from: 0.5, colour: "#ef8a62" },
  { from: 0.7, colour: "#8f8f8f" },
  { from: 0.85, colour: "#67a9cf" },
  { from: 0.95, colour: "#2166ac" },
];
const UNKNOWN_COLOUR = "#bbbbbb";

const START = "start";

export function drawPaths(paths: readonly PathFigures[]): PathDrawing[] {
  const busiest = sumArrowFigures(paths).reduce((most, { handoffs }) => Math.max(most, handoffs), 1);
  return [...Map.groupBy(paths, ({ crew }) => crew)].map(([crew, own], index) => drawCrew(crew, own, index, busiest));
}

function drawCrew(crew: string, paths: readonly PathFigures[], index: number, busiest: number): PathDrawing {
  const boxes = new Map<string | undefined, PathBox>();
  const findBox = (name: string | undefined): PathBox => {
    const box = boxes.get(name) ?? { id: `c${index}n${boxes.size}`, name: name ?? START, isStart: name === undefined };
    boxes.set(name, box);
    return box;
  };
  if (paths.some(({ from }) => from === undefined)) findBox(undefined);
  const arrows = sumArrowFigures(paths).map(({ from, to, handoffs, successes, failures }): PathArrow => {
    const rate = estimateSuccessRate(successes, failures);
    const label = rate === undefined ? `${handoffs}` : `${handoffs} · ${Math.round(rate.expected * 100)} %`;
    return {
      from: findBox(from),
      to: findBox(to),
      label,
      weight: Math.sqrt(handoffs / busiest),
      colour: chooseColour(rate),
    };
  });
  return { crew, boxes: [...boxes.values()], arrows };
}

type ArrowFigures = Pick<PathFigures, "from" | "to" | "handoffs" | "successes" | "failures">;

/** There is one arrow between two boxes, whatever the mechanisms. */
function sumArrowFigures(paths: readonly PathFigures[]): ArrowFigures[] {
  const arrows = Map.groupBy(paths, ({ crew, from, to }) => JSON.stringify([crew, from, to]));
  return [...arrows.values()].flatMap((same): ArrowFigures | [] => {
    const [first] = same;
    if (first === undefined) return [];
    const sum = (of: (path: PathFigures) => number) => same.reduce((total, each) => total + of(each), 0);
    return {
      ...{ from: first.from, to: first.to },
      handoffs: sum(({ handoffs }) => handoffs),
      successes: sum(({ successes }) => successes),
      failures: sum(({ failures }) => failures),
    };
  });
}

function chooseColour(rate: Expectation | undefined): string {
  if (rate === undefined) return UNKNOWN_COLOUR;
  return colours.findLast(({ from }) => rate.expected >= from)?.colour ?? UNKNOWN_COLOUR;
}
