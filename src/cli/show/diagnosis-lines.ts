import { computeShare } from "../../diagnosis/burnt.ts";
import type { CrewKey, Evidence, Finding } from "../../diagnosis/finding.ts";
import type { PlacedFinding, RunDiagnosis } from "../../library/diagnose-run.ts";
import type { RunResult } from "../../views/run-result.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { cut, pad, wrap } from "../live/cells.ts";
import { cleanLine } from "../live/clean-text.ts";
import { formatTokens } from "../live/format-figures.ts";
import { outcomeLines } from "../live/summary-lines.ts";
import type { Terminal } from "../terminal.ts";
import { formatCost } from "./format-cost.ts";
import { findWidest } from "./table-lines.ts";

type Style = Terminal["style"];

const WIDEST = 100;
const NOTHING = "nothing found: the journal shows no failure of a known kind";
const colours = { high: "red", medium: "yellow", low: "dim" } as const;
const files = {
  unchanged: "",
  changed: "The crew's files have changed since, so its keys are named instead of lines.",
  gone: "The crew's files are gone, so its keys are named instead of lines.",
  unknown: "Where the crew's files are was not recorded, so its keys are named instead of lines.",
} as const;

/** A diagnosis for people: how the run ended, each finding with what shows it and what to change, where the money went. */
export function diagnosisLines(diagnosis: RunDiagnosis, result: RunResult, style: Style, columns: number): string[] {
  const room = Math.min(WIDEST, columns);
  const { findings } = diagnosis;
  const note = findings.length === 0 ? "" : files[diagnosis.files];
  return [
    ...outcomeLines(result, { style }, room),
    ...findings.flatMap((finding) => ["", ...findingLines(finding, style, room)]),
    "",
    ...spendingLines(diagnosis, room).map((line) => style("dim", line)),
    ...(note === "" ? [] : wrap(note, room).map((line) => style("dim", line))),
    ...wrap(findings.length === 0 ? NOTHING : countFindings(findings), room),
  ];
}

function findingLines(finding: PlacedFinding, style: Style, room: number): string[] {
  const { severity, title, mode, code, why, evidence, events, advice } = finding;
  const mark = style(colours[severity], severity === "high" ? "✗" : "●");
  const kind = mode === undefined ? code : `${code} · ${mode.number} ${mode.name}`;
  const text = (words: string) => wrap(cleanLine(words), room - 2).map((line) => `  ${line}`);
  const [first = "", ...rest] = text(title);
  const more = events - evidence.length;
  return [
    `${mark} ${style("bold", first.trimStart())}`,
    ...rest.map((line) => style("bold", line)),
    ...text(kind).map((line) => style("dim", line)),
    ...text(why),
    ...evidenceLines(evidence, style, room),
    ...(more > 0 ? [style("dim", `  … and ${formatAmount(more, "event")} more`)] : []),
    ...adviceLines(finding, advice, style, room),
  ];
}

/** The events by number, as `baton show --events` counts them. */
function evidenceLines(evidence: readonly Evidence[], style: Style, room: number): string[] {
  const numbers = evidence.map(({ seq }) => String(seq));
  const agents = evidence.map(({ agent }) => cleanLine(agent));
  const [left, middle] = [findWidest(numbers), Math.min(20, findWidest(agents))];
  return evidence.map(({ text }, index) => {
    const number = (numbers[index] ?? "").padStart(left);
    const agent = pad(cut(agents[index] ?? "", middle), middle);
    const begin = `    ${number}  ${agent}${middle === 0 ? "" : "  "}`;
    return `${style("dim", begin)}${cut(cleanLine(text), Math.max(8, room - begin.length))}`.trimEnd();
  });
}

function adviceLines({ place, where }: PlacedFinding, advice: string, style: Style, room: number): string[] {
  const at = place === undefined ? formatKey(where) : `${place.file}:${place.line}`;
  const lines = wrap(`${cleanLine(at)}  ${cleanLine(advice)}`, room - 4);
  const shown = lines.map((line, index) =>
    index === 0 ? line.replace(cleanLine(at), (text) => style("cyan", text)) : line,
  );
  const written =
    place === undefined || place.text === "" ? [] : [style("dim", cut(`      | ${cleanLine(place.text)}`, room))];
  return [...shown.map((line, index) => `${index === 0 ? "  → " : "    "}${line}`), ...written];
}

/** `crew.yaml: settings.max_handoffs`, `agent teacher: max_turns`. */
function formatKey({ crew, agent, keys }: CrewKey): string {
  const of = crew === undefined ? "" : ` of ${crew}`;
  const file = agent === undefined ? `crew.yaml${of}` : `agent ${agent}${of}`;
  return keys.length === 0 ? file : `${file}: ${keys.join(".")}`;
}

function spendingLines({ spending }: RunDiagnosis, room: number): string[] {
  const { total, agents, failed, repeated } = spending;
  if (total.usage.total === 0) return [];
  const percent = (share: number | null) => (share === null ? "an unknown share" : `${Math.round(100 * share)} %`);
  // Where nobody counted, no agent has taken more than another as far as is known.
  const known = agents.filter(({ share }) => share !== null);
  const parts = known.slice(0, 3).map(({ agent, share }) => `${cleanLine(agent)} ${percent(share)}`);
  const waste = [
    ...(failed.usage.total === 0 ? [] : [`failed attempts ${percent(computeShare(failed, total))}`]),
    ...(repeated.usage.total === 0 ? [] : [`repeated steps ${percent(computeShare(repeated, total))}`]),
  ];
  const cost = total.cost.usd === 0 ? "" : `, ${total.cost.usd === null ? "cost unknown" : formatCost(total.cost)}`;
  const shares = [...parts, ...waste].join(", ");
  return wrap(`${formatTokens(total.usage.total)}${cost}${shares === "" ? "" : `: ${shares}`}`, room);
}

function countFindings(findings: readonly Finding[]): string {
  const counts = (["high", "medium", "low"] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  return `${formatAmount(findings.length, "finding")}: ${counts.join(", ")}`;
}
