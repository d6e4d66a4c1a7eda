import type { Block } from "../../views/progress.ts";
import type { Worker, WorkStep } from "../../views/worker.ts";
import { countCells, cut, pad, wrap } from "./cells.ts";
import { cleanLine, cleanText } from "./clean-text.ts";
import { formatDuration, listFigures } from "./format-figures.ts";
import type { Look } from "./look.ts";
import { countPerRow, placeSideBySide } from "./side-by-side.ts";

/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST_PROSE = 120;

/** What an agent does, and has done: a line about it, then its steps and its words. */
export function workerLines(worker: Worker, block: Block, look: Look, columns: number): string[] {
  const { style } = look;
  const steps = groupSteps(worker.steps).flatMap((step) => stepLines(step, block, look, columns));
  const said = cleanText(worker.text)
    .replace(/^\s*\n/, "")
    .trimEnd();
  const failure = worker.failure === undefined ? [] : wrap(cleanText(worker.failure.message), columns);
  return [
    formatTitle(worker, look, columns),
    ...steps,
    ...(said === "" ? [] : [...(steps.length === 0 ? [] : [""]), ...wrap(said, Math.min(columns, WIDEST_PROSE))]),
    ...failure.map((line) => style(worker.failure?.code === "cancelled" ? "dim" : "red", line)),
    ...worker.signals.map((signal) => style("cyan", cut(cleanLine(signal), columns))),
  ];
}

/** `teacher  ⠹ writes · 3s · openai/gpt-5 · 340 tokens`. */
export function formatTitle(worker: Worker, look: Look, columns: number): string {
  const { mark, words } = describeState(worker, look);
  const model = worker.model === undefined || worker.endedAt !== undefined ? [] : [cleanLine(worker.model)];
  return joinTitle(worker.name, mark, [...words, ...model, ...listFigures(worker.spent)], look, columns);
}

/** `teacher  ⠹ writes · 3s`, always as wide. */
export function formatShortTitle(worker: Worker, look: Look, nameColumns: number): string {
  const { mark, words } = describeState(worker, look);
  const name = look.style("bold", pad(cut(cleanLine(worker.name), nameColumns), nameColumns));
  return `${name}  ${colourMark(mark, look)} ${look.style("dim", pad(cut(words.join(" · "), 21), 21))}`;
}

/** A name in bold, a mark, and what there is to say as far as it fits. */
export function joinTitle(name: string, mark: string, words: readonly string[], look: Look, columns: number): string {
  const shown = cut(cleanLine(name), columns);
  const room = columns - countCells(shown) - 4;
  const said = room < 1 ? "" : `  ${colourMark(mark, look)} ${look.style("dim", cut(words.join(" · "), room))}`;
  return look.style("bold", shown) + said;
}

function colourMark(mark: string, { style }: Look): string {
  if (mark === "✓") return style("green", mark);
  return mark === "✗" ? style("red", mark) : style("cyan", mark);
}

/** Turns so slowly that it says "still there" and nothing more. */
export function drawSpinner({ now }: Look): string {
  return "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"[Math.floor(now / 200) % 10] ?? "";
}

function describeState(worker: Worker, look: Look): { readonly mark: string; readonly words: readonly string[] } {
  const { since, endedAt, failure } = worker;
  if (endedAt !== undefined) {
    const lasted = formatDuration(endedAt - since);
    if (failure === undefined) return { mark: "✓", words: [lasted] };
    return failure.code === "cancelled"
      ? { mark: "■", words: ["stopped", lasted] }
      : { mark: "✗", words: ["failed", lasted] };
  }
  const lasts = formatDuration(look.now - since, true);
  if (look.isPaused) return { mark: "‖", words: ["waits", lasts] };
  return { mark: drawSpinner(look), words: [describeActivity(worker), lasts] };
}

function describeActivity({ steps, text, attempt, hears, isFunction }: Worker): string {
  if (hears !== undefined) return `hears its ${hears}`;
  const calls = steps.filter((step) => step.type === "tool").filter(({ endedAt }) => endedAt === undefined);
  const tools = calls.map(({ tool }) => tool);
  const callees = calls.map((step) => readClarification(step)?.child ?? step.tool.replace(/^agent__/, ""));
  if (tools.length > 0) return cleanLine(`${callees.join() === tools.join() ? "calls" : "asks"} ${callees.join(", ")}`);
  if (isFunction) return "runs its function";
  if (text !== "") return "writes";
  return attempt === 0 ? "thinks" : `tries again (${attempt + 1})`;
}

/** Those who work at once for somebody: its advisors, the members of its team. */
interface AtOnce {
  readonly type: "at once";
  readonly paths: readonly string[];
}

/** Steps with agents that follow each other taken together. */
function groupSteps(steps: readonly WorkStep[]): (Exclude<WorkStep, { type: "agent" }> | AtOnce)[] {
  const taken: (Exclude<WorkStep, { type: "agent" }> | AtOnce)[] = [];
  for (const step of steps) {
    const last = taken.at(-1);
    if (step.type !== "agent") taken.push(step);
    else if (last?.type === "at once") taken.splice(-1, 1, { ...last, paths: [...last.paths, step.path] });
    else taken.push({ type: "at once", paths: [step.path] });
  }
  return taken;
}

function stepLines(
  step: Exclude<WorkStep, { type: "agent" }> | AtOnce,
  block: Block,
  look: Look,
  columns: number,
): string[] {
  const { style } = look;
  switch (step.type) {
    case "at once":
      return atOnceLines(
        step.paths.flatMap((path) => block.workers.get(path) ?? []),
        block,
        look,
        columns,
      );
    case "cycle":
      return [style("dim", `── cycle ${step.cycle}`)];
    case "words":
      return wrap(cleanText(step.text).trim(), columns).map((line) => style("dim", line));
    case "trouble":
      return wrap(`! ${cleanLine(step.text)}`, columns).map((line) => style("yellow", line));
    case "tool": {
      // The stages of a chain stand beside each other: a, a.1, a.2.
      const isCallee = (path: string) => path.startsWith(`${step.path}/a`) && !path.includes("/", step.path.length + 1);
      const callees = [...block.workers.values()].filter(({ path }) => isCallee(path));
      if (callees.length === 0) return [toolLine(step, look, columns)];
      const question = formatQuestion(step, columns - 2).map((line) => style("dim", line));
      return callees.flatMap((callee) => {
        const [head = "", ...body] = workerLines(callee, block, look, columns - 2);
        return indentLines([head, ...question, ...body]);
      });
    }
  }
}

/** Side by side where there is room, but for the stages of chains, which follow each other. */
function atOnceLines(workers: readonly Worker[], block: Block, look: Look, columns: number): string[] {
  const isChained = workers.some(({ path }) => /\.\d+$/.test(path));
  if (isChained || countPerRow(workers.length, columns) === 1)
    return workers.flatMap((worker) => indentLines(workerLines(worker, block, look, columns - 2)));
  return placeSideBySide(workers, columns, look, (worker, width) => workerLines(worker, block, look, width));
}

function formatQuestion(step: ToolStep, columns: number): string[] {
  const { question } = readClarification(step) ?? {};
  return question === undefined ? [] : wrap(`? ${cleanLine(question)}`, columns);
}

type ToolStep = Extract<WorkStep, { type: "tool" }>;

/** Who is asked about an answer, and what. */
function readClarification({
  tool,
  args,
}: ToolStep): { readonly child: string; readonly question: string } | undefined {
  if (tool !== "agent__ask_clarification" || typeof args !== "object" || args === null) return undefined;
  if (!("child" in args && "question" in args)) return undefined;
  return { child: String(args.child), question: String(args.question) };
}

/** As an item below another. */
export function indentLines(lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? `• ${line}` : `  ${line}`.trimEnd()));
}

/** `› lookup {"q":"2+2"}  0.3s  4`. */
function toolLine(step: ToolStep, look: Look, columns: number): string {
  const { style } = look;
  const { since, endedAt, result, problem } = step;
  const args = cleanLine(JSON.stringify(step.args) ?? "");
  const call = cut(`${cleanLine(step.tool)} ${args === "{}" ? "" : args}`.trimEnd(), Math.ceil(columns * 0.6));
  const lasted = formatDuration((endedAt ?? look.now) - since, endedAt === undefined);
  const mark = endedAt === undefined ? drawSpinner(look) : problem === undefined ? "›" : "✗";
  const room = columns - countCells(call) - countCells(lasted) - 6;
  const outcome = cut(cleanLine(problem ?? result ?? ""), room);
  return `${colourMark(mark, look)} ${call}  ${style("dim", lasted)}  ${problem === undefined ? style("dim", outcome) : style("red", outcome)}`.trimEnd();
}
