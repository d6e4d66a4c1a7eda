import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Store, StoredRun } from "../journal/store.ts";
import { listAttachments, nameFiles } from "../views/list-attachments.ts";
import { buildResult } from "../views/run-result.ts";
import { buildRunTree } from "../views/run-tree.ts";
import { listSpending } from "../views/spending.ts";
import { buildTranscript } from "../views/transcript.ts";
import { describeThrown } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { findRun } from "./find-run.ts";
import { conversationLines } from "./show/conversation-lines.ts";
import { costLines } from "./show/cost-lines.ts";
import { eventLines } from "./show/event-lines.ts";
import { overviewLines } from "./show/overview-lines.ts";
import { treeLines } from "./show/tree-lines.ts";
import { countColumns, countScreenColumns, exitCodes, type Terminal } from "./terminal.ts";

export interface ShowOptions {
  readonly cost?: boolean;
  readonly tree?: boolean;
  readonly transcript?: boolean;
  readonly events?: boolean;
  readonly json?: boolean;
  /** One file for a browser. */
  readonly html?: boolean;
  /** The folder that the run's files are written to. */
  readonly save?: string;
}

/** `baton show`: what became of a run, in one of several ways. */
export async function show(
  name: string,
  options: ShowOptions,
  terminal: Terminal,
  store: Pick<Store, "read" | "list" | "get" | "readBlob">,
  now = Date.now(),
): Promise<number> {
  const run = await findRun(name, store);
  const events = await store.read(run.runId);
  if (options.html) {
    terminal.print(await exportToHtml(events, store, terminal));
    return exitCodes.completed;
  }
  if (options.save !== undefined) return saveFiles(events, options.save, options, terminal, store);
  const lines = options.json ? formatJson(events, options) : formatRun(events, run, options, terminal, now);
  terminal.print(lines.join("\n"));
  return exitCodes.completed;
}

/** Loads what a server has, too, only for those who ask for a file. */
async function exportToHtml(
  events: readonly BatonEvent[],
  store: Pick<Store, "get">,
  { variables }: Terminal,
): Promise<string> {
  const [{ exportRun }, { readCrewCopy }, { createRedactor }] = await Promise.all([
    import("../server/studio/export-run.ts"),
    import("../run-storage/crew-copy.ts"),
    import("../redaction/redactor.ts"),
  ]);
  const [started] = events;
  const fingerprint = started?.type === "run.started" ? started.data.fingerprint : undefined;
  return exportRun(events, await readCrewCopy(store, fingerprint), createRedactor(variables));
}

/** Writes the files of a run into a folder, under names that lead nowhere else. Nothing is overwritten. */
async function saveFiles(
  events: readonly BatonEvent[],
  folder: string,
  { json = false }: ShowOptions,
  terminal: Terminal,
  store: Pick<Store, "readBlob">,
): Promise<number> {
  const target = resolve(terminal.workingDirectory, folder);
  const files = nameFiles(listAttachments(events));
  mkdirSync(target, { recursive: true });
  let exitCode: number = exitCodes.completed;
  for (const { file, sha256 } of files) {
    const bytes = await store.readBlob(sha256);
    const path = join(target, file);
    const problem = bytes === undefined ? "the store no longer has its content" : writeNew(path, bytes);
    if (problem !== undefined) {
      terminal.note(`error: ${path} was not written: ${problem}`);
      exitCode = exitCodes.failed;
    } else if (!json) terminal.print(path);
  }
  if (json) terminal.print(JSON.stringify({ folder: target, files }, undefined, 2));
  else if (files.length === 0) terminal.print("The run has no files.");
  return exitCode;
}

/** Says why the file was not written, if so. A link of that name is not followed. */
function writeNew(path: string, bytes: Uint8Array): string | undefined {
  try {
    writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EEXIST" ? "it exists already" : describeThrown(error);
  }
}

function formatRun(
  events: readonly BatonEvent[],
  run: StoredRun,
  options: ShowOptions,
  terminal: Terminal,
  now: number,
): string[] {
  const { style } = terminal;
  const columns = countColumns(terminal);
  if (options.tree) return treeLines(buildRunTree(events), style, countScreenColumns(terminal));
  if (options.transcript) return conversationLines(buildTranscript(events), style, columns);
  if (options.cost) return costLines(listSpending(events), buildResult(events), style, columns);
  if (options.events) return eventLines(events, style, columns);
  return overviewLines(events, run, style, now, columns);
}

function formatJson(events: readonly BatonEvent[], options: ShowOptions): string[] {
  const whole = (value: unknown) => [JSON.stringify(value, undefined, 2)];
  if (options.events) return events.map((event) => JSON.stringify(event));
  if (options.tree) return whole(buildRunTree(events));
  if (options.transcript) return whole(buildTranscript(events));
  const result = buildResult(events);
  return whole(options.cost ? { spending: listSpending(events), usage: result.usage, cost: result.cost } : result);
}
