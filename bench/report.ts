import { styleText } from "node:util";

/** One figure, with what it should be. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** How the value is shown: `× floor`, `ms`. */
  readonly unit: string;
  readonly target?:
    | { readonly atMost: number }
    | { readonly atLeast: number }
    | { readonly from: number; readonly to: number };
}

/** What a benchmark may be told. */
export interface BenchOptions {
  /** How long to watch what only time shows; 0 leaves it out. */
  readonly minutes: number;
}

export interface Report {
  readonly figures: readonly Figure[];
  /** What else was found out, a line each. */
  readonly notes?: readonly string[];
}

/** Prints a table, one line of figures last; returns how many targets were missed. */
export function printReport(name: string, report: Report, json: boolean): number {
  const missed = report.figures.filter((figure) => !isMet(figure));
  if (json) {
    console.log(JSON.stringify({ bench: name, node: process.version, figures: report.figures, missed: missed.length }));
    return missed.length;
  }
  const width = Math.max(...report.figures.map((figure) => figure.name.length));
  console.log(`\n${name} (Node ${process.version})`);
  for (const figure of report.figures) {
    const shown = `${format(figure.value)} ${figure.unit}`.padEnd(20);
    const mark =
      figure.target === undefined ? "" : isMet(figure) ? styleText("green", "met") : styleText("red", "MISSED");
    console.log(`  ${figure.name.padEnd(width)}  ${shown} ${targetText(figure).padEnd(18)} ${mark}`);
  }
  for (const note of report.notes ?? []) console.log(`  ${note}`);
  const line = report.figures.map((figure) => `${figure.name} ${format(figure.value)} ${figure.unit}`).join("; ");
  console.log(`${name}: ${line}; ${missed.length} targets missed`);
  return missed.length;
}

/** The middle of several rounds, so that a noisy moment does not decide. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds of CPU that one call takes, repeated until that can be measured. */
export function cpuPerCall(call: () => unknown, minimumMs = 20): number {
  let repeats = 1;
  for (;;) {
    const before = process.cpuUsage();
    for (let i = 0; i < repeats; i++) call();
    const { user, system } = process.cpuUsage(before);
    const milliseconds = (user + system) / 1000;
    if (milliseconds >= minimumMs) return milliseconds / repeats;
    repeats *= milliseconds < minimumMs / 10 ? 10 : 2;
  }
}

function isMet({ value, target }: Figure): boolean {
  if (target === undefined) return true;
  if ("from" in target) return value >= target.from && value <= target.to;
  return "atMost" in target ? value <= target.atMost : value >= target.atLeast;
}

function targetText({ target }: Figure): string {
  if (target === undefined) return "";
  if ("from" in target) return `${target.from} to ${target.to}`;
  return "atMost" in target ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
}

function format(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toPrecision(3);
}
