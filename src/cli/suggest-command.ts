import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { type Reordering, reorderTargets } from "../definition/reorder-targets.ts";
import type { Store } from "../journal/store.ts";
import type { RankedTarget } from "../learning/rank-targets.ts";
import { loadCrew } from "../library/load-crew.ts";
import { checkInput } from "../runtime/check-input.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { askLine } from "./question.ts";
import { suggestionLines } from "./show/suggestion-lines.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

export interface SuggestOptions {
  readonly agent?: string;
  readonly input?: string;
  readonly save?: boolean;
  readonly json?: boolean;
  readonly root?: string;
}

/** `baton suggest`: whom an agent had best hand its work to; with `--save`, asks whether to put that into its file. */
export async function suggest(
  path: string,
  options: SuggestOptions,
  terminal: Terminal,
  store: Store,
): Promise<number> {
  const { agent, input, root } = options;
  if (input !== undefined) checkInput(input);
  const { workingDirectory } = terminal;
  const crew = await loadCrew(path, { workingDirectory, store, ...(root !== undefined && { root }) });
  const question = { ...(agent !== undefined && { agent }), ...(input !== undefined && { input }) };
  const targets = await crew.suggest(question);
  if (options.json) terminal.print(JSON.stringify({ crew: crew.definition.name, ...question, targets }, undefined, 2));
  else if (targets.length > 0) {
    terminal.print(suggestionLines(targets, question, terminal.style, countColumns(terminal)).join("\n"));
  } else terminal.note(`'${agent}' hands off to no other agent`);
  return options.save === true ? save(path, options, targets, terminal) : exitCodes.completed;
}

async function save(
  path: string,
  { agent, root }: SuggestOptions,
  targets: readonly RankedTarget[],
  terminal: Terminal,
): Promise<number> {
  if (agent === undefined)
    throw new BatonError("bad-options", "--save needs --agent: name the agent whose file it changes");
  const order = targets.map((target) => target.agent);
  const place = { workingDirectory: terminal.workingDirectory, ...(root !== undefined && { root }) };
  const change = reorderTargets(path, agent, order, place);
  if (change === undefined) {
    const keys = "handoff_targets, router.destinations or collaborations";
    terminal.note(`there is nothing to save: the file of '${agent}' has no list of several under ${keys}`);
    return exitCodes.completed;
  }
  if (change.before === change.after) {
    terminal.note(`there is nothing to save: ${change.key} of '${agent}' is in this order already`);
    return exitCodes.completed;
  }
  const file = relative(terminal.workingDirectory, change.file);
  terminal.note(`${file}\n- ${change.key}: ${change.from.join(", ")}\n+ ${change.key}: ${change.to.join(", ")}`);
  if (!terminal.isInteractive) {
    terminal.note("nothing was written: --save asks first, and nobody can be asked here");
    return exitCodes.failed;
  }
  terminal.note("Write that? [y/N]");
  const isWanted = /^y(es)?$/i.test((await askLine(process.stderr))?.trim() ?? "");
  if (isWanted) write(change);
  terminal.note(isWanted ? `${file} is written` : "nothing was written");
  return exitCodes.completed;
}

/** Whole or not at all, and only over what was shown. */
function write({ file, before, after }: Reordering): void {
  const now = readFileSync(file, "utf8");
  // A byte order mark is no part of the text, and stays.
  if (!now.endsWith(before)) throw new BatonError("file-changed", `${file} was changed meanwhile; nothing was written`);
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, now.slice(0, now.length - before.length) + after, { mode: statSync(file).mode, flag: "wx" });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
