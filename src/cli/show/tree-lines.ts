import type { RunNode } from "../../views/run-tree.ts";
import { pad } from "../live/cells.ts";
import { shorten } from "../live/clean-text.ts";
import { formatCount, formatDuration } from "../live/format-figures.ts";
import type { Terminal } from "../terminal.ts";
import { formatCost } from "./format-cost.ts";
import { chooseMark, colourByStatus } from "./status-mark.ts";
import { type Column, findWidest, tableLines } from "./table-lines.ts";

interface Row {
  readonly node: RunNode;
  readonly name: string;
  readonly branch: string;
  readonly about: string;
}

/** Narrower than this, the bars of a timeline say nothing. */
const [NARROWEST_TIMELINE, WIDEST_TIMELINE] = [16, 60];

/** The parts of a run below one another: how each ended, how long it took, and what it cost with all that is below it. */
export function treeLines(run: RunNode, style: Terminal["style"], columns: number): string[] {
  const rows = listRows(run, { branch: "", below: "", crew: "" });
  const cells = (of: (row: Row) => string) => rows.map(of);
  const isOwn = ({ node }: Row) => node.total.calls > 0 || node.total.cost.unknownCalls > 0;
  const dim = (text: string) => style("dim", text);
  const marked = (text: string, row: number) => colourByStatus(rows[row]?.node.status ?? "completed", text, style);
  const table: Column[] = [
    { title: "", cells: cells(({ branch, name }) => branch + shorten(name)), least: 16, paint: paintName },
    { title: "", cells: cells(({ about }) => about), least: 8, rank: 1, paint: dim },
    { title: "", cells: cells(({ node }) => chooseMark(node.status)), paint: marked },
    { title: "time", cells: cells(({ node }) => formatDuration(node.durationMs)), isNumber: true },
    {
      title: "tokens",
      rank: 2,
      cells: cells((row) => (isOwn(row) ? formatCount(row.node.total.usage.total) : "")),
      isNumber: true,
    },
    { title: "cost", cells: cells((row) => (isOwn(row) ? formatCost(row.node.total.cost) : "")), isNumber: true },
  ];
  const lines = tableLines(table, columns, style);
  const width = findWidest(lines) + 2;
  const room =
    run.durationMs === 0 || columns === Number.POSITIVE_INFINITY ? 0 : Math.min(WIDEST_TIMELINE, columns - width);
  if (room < NARROWEST_TIMELINE) return lines;
  return lines.map((line, index) => {
    const row = rows[index - 1];
    return row === undefined ? line : pad(line, width) + marked(drawBar(row.node, run.durationMs, room), index - 1);
  });

  function paintName(text: string, index: number): string {
    const { branch = "", node } = rows[index] ?? {};
    const name = text.slice(branch.length);
    const isNamed =
      node?.kind !== "turn" && node?.kind !== "call" && node?.kind !== "tool" && node?.kind !== "function";
    // Deep down, and in a narrow terminal, the branches themselves are cut.
    return dim(text.slice(0, branch.length)) + (isNamed ? style("bold", name) : name);
  }
}

/** Where a row stands: what is drawn before it and before those below it, and the crews around it. */
interface Spot {
  readonly branch: string;
  readonly below: string;
  readonly crew: string;
}

/** A row, and those of what is below it. An only child that is one with its parent has no row of its own. */
function listRows(node: RunNode, spot: Spot): Row[] {
  const { branch } = spot;
  const [only, ...others] = node.children;
  const isAlone = only !== undefined && others.length === 0;
  // A call of an agent is that agent's session; a run is its crew.
  if (isAlone && node.kind === "tool") return listRows(only, spot);
  if (isAlone && node.kind === "run")
    return [{ node: only, name: only.name, branch, about: node.name }, ...listChildRows(only, spot)];
  const inner = findInnermost(node);
  const isCall = inner.kind === "call" || inner.kind === "function";
  const model = isCall && inner !== node ? inner.name : "";
  const args = node.kind === "tool" && !isEmpty(node.args) ? (JSON.stringify(node.args) ?? "") : "";
  const about = [model || args, inner.problem].filter(Boolean).join(": ");
  const inside = node.kind === "crew" ? { ...spot, crew: `${spot.crew}${node.name}/` } : spot;
  return [{ node, name: formatName(spot.crew, node), branch, about: shorten(about) }, ...listChildRows(inner, inside)];
}

/** The crews around an agent are above it already. */
function formatName(crew: string, { kind, name }: RunNode): string {
  return kind === "session" && name.startsWith(crew) ? name.slice(crew.length) : name;
}

function listChildRows({ children }: RunNode, { below, crew }: Spot): Row[] {
  return children.flatMap((child, index) => {
    const isLast = index === children.length - 1;
    const branch = `${below}${isLast ? "╰─ " : "├─ "}`;
    return listRows(child, { branch, below: `${below}${isLast ? "   " : "│  "}`, crew });
  });
}

/** A session of one turn, or a turn of one call, says nothing that is not said by what is inside. */
function findInnermost(node: RunNode): RunNode {
  const [only, ...others] = node.children;
  const isOne = only !== undefined && others.length === 0 && only.status === node.status;
  return isOne && (node.kind === "session" || node.kind === "turn") ? findInnermost(only) : node;
}

function isEmpty(args: unknown): boolean {
  return typeof args === "object" && args !== null && Object.keys(args).length === 0;
}

/** When it went on, within the time of the whole run. */
function drawBar({ startMs, durationMs }: RunNode, wholeMs: number, columns: number): string {
  const at = (ms: number) => Math.round((ms / wholeMs) * columns);
  const start = Math.min(at(startMs), columns - 1);
  const length = Math.max(1, at(startMs + durationMs) - start);
  return " ".repeat(start) + (durationMs === 0 ? "╵" : "━".repeat(length));
}
