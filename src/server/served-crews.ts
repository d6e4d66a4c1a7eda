import { resolve } from "node:path";
import { checkCrew } from "../definition/check-crew.ts";
import type { Project } from "../definition/read-project.ts";
import type { Store } from "../journal/store.ts";
import { type CrewHandle, openCrew } from "../library/crew-handle.ts";
import { readNotify } from "../library/read-notify.ts";
import { readQueues } from "../library/read-queue.ts";
import { refuseErrors } from "../library/refuse-errors.ts";
import type { CrewSetup } from "../runtime/environment.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { QueueRule } from "../vocabulary/queue-rule.ts";

/** A crew that a server serves. */
export interface ServedCrew {
  readonly name: string;
  /** Where its files are. */
  readonly path: string;
  readonly crew: CrewHandle;
  /** The queues of its project. */
  readonly queues: readonly QueueRule[];
  readonly diagnostics: readonly Diagnostic[];
  /** What its project's baton.yaml starts by itself. */
  readonly schedules: readonly Schedule[];
}

/** An entry of `schedules` in baton.yaml. */
export interface Schedule {
  readonly name: string;
  readonly crew: string;
  readonly cron: string;
  readonly timezone: string;
  readonly input: string;
  readonly user: string | undefined;
  readonly skipIfRunning: boolean;
  /** Which times that passed while no process kept the schedule are made up for. */
  readonly catchUp: "none" | "last" | "all";
}

export interface ServedCrewsOptions {
  readonly workingDirectory: string;
  readonly root: string | undefined;
  readonly store: Store;
  /** Models, approvals and variables, as every command takes them. */
  readonly setup: Omit<CrewSetup, "store" | "root" | "source" | "notify" | "queues">;
}

/** The crews of a server, by name. */
export class ServedCrews {
  readonly #crews = new Map<string, ServedCrew>();
  /** Crews that were replaced and may still have runs under way. */
  readonly #earlier: CrewHandle[] = [];
  readonly #options: ServedCrewsOptions;

  /** Throws a `ConfigurationError` with the problems of the first crew that cannot run. */
  constructor(paths: readonly string[], options: ServedCrewsOptions) {
    this.#options = options;
    for (const path of paths) {
      const served = this.#load(path);
      const other = this.#crews.get(served.name);
      if (other !== undefined)
        throw new BatonError(
          "bad-options",
          other.path === served.path
            ? `'${path}' is given twice: leave one of them out`
            : `${other.path} and ${served.path} are both called '${served.name}': give one of them another name`,
        );
      this.#crews.set(served.name, served);
    }
  }

  get(name: string): ServedCrew | undefined {
    return this.#crews.get(name);
  }

  /** The schedules of all projects, each once. */
  schedules(): readonly Schedule[] {
    const byName = new Map(this.list().flatMap(({ schedules }) => schedules.map((each) => [each.name, each] as const)));
    return [...byName.values()];
  }

  list(): readonly ServedCrew[] {
    return [...this.#crews.values()];
  }

  /** Loads a crew again. If it has errors, the earlier one stays and the errors are thrown. */
  reload(name: string): ServedCrew {
    const before = this.#crews.get(name);
    if (before === undefined) throw new BatonError("unknown-crew", `there is no crew '${name}'`);
    const served = this.#load(before.path);
    if (served.name !== name)
      throw new BatonError("bad-options", `the crew is called '${served.name}' now: restart the server to serve it`);
    this.#crews.set(name, served);
    this.#earlier.push(before.crew);
    return served;
  }

  /** Releases every run. Resolves when other processes can continue them. */
  async close(graceMs: number): Promise<void> {
    const handles = [...this.#earlier, ...this.list().map(({ crew }) => crew)];
    await Promise.all(handles.map((crew) => crew.close({ graceMs })));
  }

  #load(path: string): ServedCrew {
    const { workingDirectory, root, store, setup } = this.#options;
    const loaded = checkCrew(path, {
      workingDirectory,
      environment: setup.models?.variables ?? process.env,
      ...(root !== undefined && { root }),
    });
    const definition = refuseErrors(`the crew at ${path}`, loaded);
    const source = resolve(workingDirectory, path);
    const { diagnostics, project } = loaded;
    const notify = readNotify(project);
    const queues = readQueues(project);
    const crew = openCrew(definition, diagnostics, { ...setup, root: loaded.root, notify, queues, source, store });
    return { name: definition.name, path: source, crew, queues, diagnostics, schedules: readSchedules(project) };
  }
}

function readSchedules(project: Project | undefined): readonly Schedule[] {
  return (project?.schedules ?? []).flatMap((schedule) => {
    const { name, crew, cron, timezone, input, user, skip_if_running: skipIfRunning, catch_up: catchUp } = schedule;
    if (name === undefined || crew === undefined || cron === undefined || input === undefined) return [];
    return { name, crew, cron, timezone, input, user, skipIfRunning, catchUp };
  });
}
