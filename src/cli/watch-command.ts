import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { findScenarios, type PlayedScenarios, playScenarios } from "../scenario/play-scenarios.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { describeReport, formatCount } from "./test/text-report.ts";
import { FolderWatcher, TouchedFiles } from "./test/watch-scenarios.ts";
import type { TestOptions } from "./test-command.ts";

/** `baton test --watch`: plays scenarios, and plays again what a changed file touches, until Ctrl-C. */
export async function watchScenarios(
  paths: readonly string[],
  { filter, jobs }: TestOptions,
  terminal: Terminal,
): Promise<number> {
  const { workingDirectory } = terminal;
  const options = { workingDirectory, ...(filter !== undefined && { filter }), ...(jobs !== undefined && { jobs }) };
  const touched = new TouchedFiles();
  const roots = paths.map((path) => resolve(workingDirectory, path));
  let version = 0;
  let waiting: Promise<void> = Promise.resolve();
  const play = async (files: readonly string[], failuresOnly: boolean): Promise<void> => {
    const from = performance.now();
    const release = terminal.divertTools();
    const played = await playScenarios(files, { ...options, ...(version > 0 && { moduleVersion: version }) }).finally(
      release,
    );
    touched.note(played, workingDirectory);
    for (const folder of touched.listFolders()) watcher.add(folder, false);
    tell(played, failuresOnly, Math.round(performance.now() - from), terminal);
  };
  const watcher = new FolderWatcher((changed) => {
    const files = findPlayable(changed, roots, touched);
    if (files.length === 0) return;
    version++;
    const names = [...changed].map((file) => relative(workingDirectory, file));
    terminal.print(
      `\n${terminal.style("dim", `changed: ${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}`)}`,
    );
    waiting = waiting.then(() => play(files, false));
  });
  for (const root of roots) watcher.add(root, true);
  await play(roots, true);
  terminal.note("watching for changes; Ctrl-C ends it");
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  watcher.close();
  return exitCodes.cancelled;
}

/** The scenarios to play again, new ones below the given folders included, without those that are gone. */
function findPlayable(changed: ReadonlySet<string>, roots: readonly string[], touched: TouchedFiles): string[] {
  const known = [...changed].flatMap((file) => touched.findTouched(file));
  const below = roots.flatMap((root) => (existsSync(root) ? findScenarios(root) : []));
  const added = below.filter((file) => changed.has(file));
  return [...new Set([...known, ...added])].filter((file) => existsSync(file));
}

function tell({ results }: PlayedScenarios, failuresOnly: boolean, ms: number, { print, style }: Terminal): void {
  for (const report of results.scenarios)
    if (!failuresOnly || report.problems.length > 0) print(describeReport(report, style));
  print(
    `${formatCount(results)}  ${style("dim", `(${formatAmount(results.scenarios.length, "scenario")}, ${ms} ms)`)}`,
  );
}
