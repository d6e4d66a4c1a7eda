import { type SignalScope, scanSignals, signalScopes } from "../src/signals/scan-signals.ts";
import { indexSignals } from "../src/signals/signal-index.ts";
import { cpuPerCall, type Figure, median, type Report } from "./report.ts";
import { seedMatches } from "./seed-matcher.ts";

const ROUNDS = 5;
const KB = 1024;
const sentence = "The quick brown fox jumps over the lazy dog, and nobody minds it very much at all. ";

/** The scanner against the seeds' matcher and against a bare search for brackets, all on the same texts. */
export function measure(): Report {
  const sizes = [1, 10, 100].flatMap((kilobytes) => [
    ...[5, 50, 500].map((count) => againstSeeds(kilobytes, count, proseWithSignal(kilobytes), "prose")),
    againstSeeds(kilobytes, 5, fullOfBrackets(kilobytes), "full of brackets"),
    bySignalCount(kilobytes),
  ]);
  return { figures: [...sizes, ...signalScopes.map(overFloor), ...signalScopes.map(growth)] };
}

function againstSeeds(kilobytes: number, count: number, text: string, kind: string): Figure {
  const signals = names(count);
  const index = indexOf(signals);
  const isTarget = kilobytes === 100 && count < 500 && kind === "prose";
  return {
    name: `${kilobytes} KB ${kind}, ${count} signals: seeds' matcher`,
    value: ratio(
      () => seedMatches(signals, text),
      () => scanSignals(text, index, "outside_code"),
    ),
    unit: "× ours",
    ...(isTarget && { target: { atLeast: count === 5 ? 100 : 1000 } }),
  };
}

function bySignalCount(kilobytes: number): Figure {
  const text = fullOfBrackets(kilobytes);
  const [many, few] = [indexOf(names(500)), indexOf(names(5))];
  return {
    name: `${kilobytes} KB full of brackets: 500 signals`,
    value: ratio(
      () => scanSignals(text, many, "outside_code"),
      () => scanSignals(text, few, "outside_code"),
    ),
    unit: "× 5 signals",
    target: { atMost: 1.3 },
  };
}

/** 100 KB without tokens, over the bare search for `[`. */
function overFloor(scope: SignalScope): Figure {
  const text = plainText(100);
  const index = indexOf(names(50));
  return {
    name: `100 KB without tokens, ${scope}`,
    value: ratio(
      () => scanSignals(text, index, scope),
      () => countBrackets(text),
    ),
    unit: "× floor",
    target: { atMost: 3 },
  };
}

/** A text of nothing but tokens, fences and backticks, eight times as long: more than eight times the work would not be linear. */
function growth(scope: SignalScope): Figure {
  const index = indexOf(names(5));
  const piece = "`[SIGNAL_1]`` **[SIGNAL_2]** [SIGNAL_3](http://x) <code>[SIGNAL_4]\n```\n[SIGNAL_0]\n";
  const [short, long] = [piece.repeat(500), piece.repeat(4000)];
  return {
    name: `hardest text 8 × as long, ${scope}`,
    value: ratio(
      () => scanSignals(long, index, scope),
      () => scanSignals(short, index, scope),
    ),
    unit: "× the time",
    target: { atMost: 12 },
  };
}

function ratio(one: () => unknown, other: () => unknown): number {
  return median(Array.from({ length: ROUNDS }, () => cpuPerCall(one) / cpuPerCall(other)));
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `[SIGNAL_${index}]`);
}

function indexOf(signals: readonly string[]): ReturnType<typeof indexSignals> {
  return indexSignals(signals.map((name) => ({ name, priority: 50 })));
}

function plainText(kilobytes: number): string {
  return sentence.repeat(Math.ceil((kilobytes * KB) / sentence.length)).slice(0, kilobytes * KB);
}

/** An answer as models write most of them: prose, and a signal in the last line. */
function proseWithSignal(kilobytes: number): string {
  return `${plainText(kilobytes)}\n\n[ signal 3 ]`;
}

/** Citations, links and code all along, and a signal in the last line. */
function fullOfBrackets(kilobytes: number): string {
  const block = `${sentence}See [1] and [the docs](http://docs.example).\n\`\`\`ts\nconst a = list[0];\n\`\`\`\n`;
  return `${block.repeat(Math.ceil((kilobytes * KB) / block.length))}\n\n[ signal 3 ]`;
}

function countBrackets(text: string): number {
  let count = 0;
  for (let at = text.indexOf("["); at !== -1; at = text.indexOf("[", at + 1)) count++;
  return count;
}
