import { resolve } from "node:path";
import { type Assumption, usualAssumption } from "../flow/plan/assume-run.ts";
import { type Plan, planToJson } from "../flow/plan/plan.ts";
import { planCrew } from "../library/plan-crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { type DrawingFormat, drawPlan } from "./graph-command.ts";
import { formatDollars, formatNumber } from "./live/format-figures.ts";
import { loadValidCrew } from "./load-valid-crew.ts";
import { findRoot, openExistingStore } from "./open-store.ts";
import { explain } from "./run-command.ts";
import { planLines, writePath } from "./show/plan-lines.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

export interface PlanOptions {
  readonly model?: string;
  readonly file?: readonly string[];
  readonly json?: boolean;
  readonly maxCost?: number;
  readonly maxCalls?: number;
  readonly assume?: Assumption;
  readonly format: "text" | "json" | DrawingFormat;
  readonly root?: string;
}

/** `baton plan`: what a run of a crew can do and cost at worst, before anything is spent; 5 if that is more than allowed. */
export async function plan(
  path: string,
  words: readonly string[],
  options: PlanOptions,
  terminal: Terminal,
): Promise<number> {
  const { model, json = false, format, root, assume } = options;
  const crew = loadValidCrew(path, root, terminal);
  if (crew === undefined) return exitCodes.invalid;
  const store = await openExistingStore(root ?? findRoot(path, terminal), terminal);
  try {
    const input = words.length === 0 ? undefined : words.join(" ");
    const files = options.file?.map((file) => resolve(terminal.workingDirectory, file)) ?? [];
    const given = { files, ...(model !== undefined && { model }), ...(assume !== undefined && { assume }) };
    const planned = await planCrew(crew, input, given, { store, variables: terminal.variables });
    if (json || format === "json") terminal.print(JSON.stringify(planToJson(planned), undefined, 2));
    else if (format === "text") terminal.print(planLines(planned, terminal.style, countColumns(terminal)).join("\n"));
    else terminal.print(drawPlan(crew, planned, format));
    const exceeded = findExceeded(planned, options);
    if (exceeded === undefined) return exitCodes.completed;
    terminal.note(`${exceeded}\nworst path: ${writePath(planned.worst.path)}`);
    return exitCodes.limit;
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  } finally {
    await store.close();
  }
}

/** What is more than allowed. A figure that is not known may be anything, so it is more, too. */
function findExceeded({ worst, atLeast }: Plan, { maxCost, maxCalls }: PlanOptions): string | undefined {
  if (maxCost !== undefined && (worst.costUsd === null || worst.costUsd > maxCost)) {
    const known = Number.isFinite(atLeast.costUsd) ? `at least ${formatDollars(atLeast.costUsd)}` : "any sum";
    const cost = worst.costUsd === null ? `${known}, and not all of it is known` : formatDollars(worst.costUsd);
    return `error: a run may cost ${cost}; --max-cost allows ${formatDollars(maxCost)}`;
  }
  if (maxCalls !== undefined && (worst.modelCalls === null || worst.modelCalls > maxCalls)) {
    const calls = worst.modelCalls === null ? "any number of" : formatNumber(worst.modelCalls);
    return `error: a run may make ${calls} model calls; --max-calls allows ${formatNumber(maxCalls)}`;
  }
  return undefined;
}

/** `output=400,turns=2,path=shortest`, or some of it; what is wrong with it as a text. */
export function readAssumption(text: string): Assumption | string {
  let assumption = usualAssumption;
  for (const part of text.split(",")) {
    const [key = "", value = ""] = part.split("=").map((each) => each.trim());
    const amount = Number(value);
    if ((key === "output" || key === "turns") && Number.isInteger(amount) && amount > 0)
      assumption = { ...assumption, [key]: amount };
    else if (key === "path" && (value === "shortest" || value === "longest"))
      assumption = { ...assumption, path: value };
    else
      return `unknown assumption '${part}': write output=400, turns=2, path=shortest or path=longest, joined by commas`;
  }
  return assumption;
}
