import { expect } from "vitest";
import type { ReceivedSpan } from "./otlp-receiver.ts";

/** Spans below one another, in the order in which they began; all of them are found from those that have no parent here. */
export function inOrder(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  return linesOf(spans).map(({ span }) => span);
}

/** The names of spans below one another, with what went wrong; those whose parent is missing would be too. */
export function treeOf(spans: readonly ReceivedSpan[]): string[] {
  const lines = linesOf(spans);
  expect(lines).toHaveLength(spans.length);
  return lines.map(({ span: { name, status, attributes }, depth }) => {
    const error = status.code === 2 ? ` ERROR ${attributes["error.type"]}` : "";
    return `${"  ".repeat(depth)}${name}${error}`;
  });
}

interface Line {
  readonly span: ReceivedSpan;
  readonly depth: number;
}

function linesOf(spans: readonly ReceivedSpan[], parent?: string, depth = 0): Line[] {
  const byStart = spans.toSorted((a, b) => a.startMs - b.startMs);
  return byStart
    .filter(({ parentSpanId }) => (parentSpanId ?? "") === (parent ?? ""))
    .flatMap((span) => [{ span, depth }, ...linesOf(spans, span.spanId, depth + 1)]);
}
