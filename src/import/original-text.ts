import { placeIn, type Source, type Span } from "../definition/source.ts";
import type { MapEntry, YamlNode } from "../definition/yaml-node.ts";
import type { OriginalPlace } from "./crew-plan.ts";

export function locateSpan(source: Source, span: Span): OriginalPlace {
  return { file: placeIn(source).file, line: source.position(span.start).line };
}

const SHOWN = 60;

/** A key with its value in one line, as the original has it. */
export function showEntry(key: string, value: YamlNode): string {
  return `${key}: ${showValue(value)}`;
}

export function showValue(value: YamlNode): string {
  if (value.kind === "list") return shorten(`[${value.items.map(showValue).join(", ")}]`);
  if (value.kind === "map")
    return shorten(`{ ${value.entries.map((each) => showEntry(each.key, each.value)).join(", ")} }`);
  return shorten(value.value === null ? "nothing" : String(value.value));
}

/** One line of a bounded length. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}

/** The part of a file that an entry takes. */
export function joinSpans({ keySpan, value }: MapEntry): Span {
  return { start: keySpan.start, end: Math.max(keySpan.end, value.span.end) };
}
