import type { RankedTarget } from "../../learning/rank-targets.ts";
import { cleanLine } from "../live/clean-text.ts";
import type { Terminal } from "../terminal.ts";
import { tableLines } from "./table-lines.ts";

/** Targets from the most promising on, each with what speaks for and against it. */
export function suggestionLines(
  targets: readonly RankedTarget[],
  { agent, input }: { readonly agent?: string; readonly input?: string },
  style: Terminal["style"],
  columns: number,
): string[] {
  const percent = (share: number) => `${Math.round(share * 100)}`;
  const what = agent === undefined ? "first agent" : `handoffs from ${cleanLine(agent)}`;
  const title = input === undefined ? `${what}, for any input` : `${what}, for the input: ${cleanLine(input)}`;
  const names = [
    { title: "", cells: targets.map((_, index) => `${index + 1}.`), isNumber: true },
    { title: "to", cells: targets.map((target) => cleanLine(target.agent)), least: 8 },
  ];
  if (targets.every(({ successes, failures }) => successes + failures === 0)) {
    const fits = { title: "fit by description", cells: targets.map(({ fit }) => describeFit(fit)), least: 18 };
    const table = input === undefined ? names : [...names, fits];
    return [style("bold", title), explainTable(input !== undefined), ...tableLines(table, columns, style)];
  }
  const table = [
    ...names,
    { title: "success", cells: targets.map(({ expected }) => `${percent(expected)} %`), isNumber: true },
    { title: "90 % sure", cells: targets.map(({ low, high }) => `${percent(low)}–${percent(high)}`), rank: 1 },
    { title: "because", cells: targets.map((target) => explainRank(target, input !== undefined)), least: 30 },
  ];
  return [style("bold", title), ...tableLines(table, columns, style)];
}

/** What is said where nobody has handed over to any of them. */
function explainTable(hasInput: boolean): string {
  const how = hasInput
    ? "the ranking compares the input with their descriptions"
    : "give an --input to rank the agents by their descriptions";
  return `Nothing has been learned yet: ${how}.`;
}

function describeFit(fit: number): string {
  if (fit === 0) return "none: they share no word";
  return fit === 1 ? "best" : `${Math.round(fit * 100)} % of the best`;
}

/** In words, from what is known to what is not. */
function explainRank({ successes, failures, alike, fit, isWorthTrying }: RankedTarget, hasInput: boolean): string {
  const tried = successes + failures;
  const known = tried === 0 ? "no handoffs so far" : `${successes} of ${tried} went well`;
  const near =
    !hasInput || tried === 0 ? "" : alike === 0 ? ", none on inputs like this" : `, ${alike} on inputs like this`;
  const fits = !hasInput
    ? ""
    : fit >= 0.5
      ? "; its description fits"
      : fit > 0
        ? "; its description fits a little"
        : "";
  return `${known}${near}${fits}${isWorthTrying ? "; worth a try: it may well be better than the first" : ""}`;
}
