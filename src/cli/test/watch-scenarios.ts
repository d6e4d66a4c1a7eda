import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { PlayedScenarios } from "../../scenario/play-scenarios.ts";

/** Editors write a file in several steps; what comes within this time is one change. */
const SETTLE_MS = 30;

/** What each scenario read when it was last played, by its file. */
export class TouchedFiles {
  readonly #byScenario = new Map<string, ReadonlySet<string>>();

  note({ outcomes }: PlayedScenarios, workingDirectory: string): void {
    for (const { report, played } of outcomes) {
      const file = resolve(workingDirectory, report.file);
      const read = played === undefined ? [] : listRead(played);
      // A crew that could not be read names no files: those that it had still count.
      this.#byScenario.set(file, new Set([...(this.#byScenario.get(file) ?? []), file, ...read]));
    }
  }

  /** The scenarios that a changed file may matter to: those that read it, or anything in its folder, where a new file may matter. */
  findTouched(changed: string): string[] {
    const folder = dirname(changed);
    return [...this.#byScenario].flatMap(([scenario, files]) => {
      const isBeside = [...files].some((file) => file !== scenario && dirname(file) === folder);
      const isOther = /\.scenario\.ya?ml$/.test(changed);
      return files.has(changed) || (isBeside && !isOther) ? [scenario] : [];
    });
  }

  /** The folders in which a change may matter. */
  listFolders(): ReadonlySet<string> {
    return new Set([...this.#byScenario.values()].flatMap((files) => [...files].map(dirname)));
  }
}

function listRead({ definition, crew, folder }: NonNullable<PlayedScenarios["outcomes"][number]["played"]>): string[] {
  const functions = [...(crew?.agents.values() ?? [])].flatMap((agent) => agent.function?.module?.file ?? []);
  return [...definition.files, ...functions].map((file) => resolve(folder, file));
}

/** Watches folders, and tells of all files that changed together. */
export class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onChange: (files: ReadonlySet<string>) => void;
  #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: (files: ReadonlySet<string>) => void) {
    this.#onChange = onChange;
  }

  add(folder: string, isRecursive: boolean): void {
    if (this.#watchers.has(folder) || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    const watcher = watch(folder, { recursive: isRecursive }, (_, name) => {
      if (name === null || name.includes("node_modules")) return;
      this.#changed.add(join(folder, name));
      this.#timer ??= setTimeout(() => this.#tell(), SETTLE_MS);
    });
    // A folder that is deleted has nothing to watch any more.
    watcher.on("error", () => this.#watchers.delete(folder));
    this.#watchers.set(folder, watcher);
  }

  #tell(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    this.#timer = undefined;
    this.#onChange(changed);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
  }
}
