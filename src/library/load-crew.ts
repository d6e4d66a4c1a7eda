import { resolve } from "node:path";
import { placeAllowance } from "../definition/build-tool-sets.ts";
import { type CheckCrewOptions, checkCrew } from "../definition/check-crew.ts";
import type { Store } from "../journal/store.ts";
import { checkEnvironment } from "../runtime/check-options.ts";
import type { CrewEnvironment, CrewSetup, ToolRegistry } from "../runtime/environment.ts";
import type { ContextSource, FittingContext, GivenContext } from "../runtime/resolve-context.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { isPromise } from "../vocabulary/promise.ts";
import { type CrewHandle, openCrew } from "./crew-handle.ts";
import type { MissingContext, NeededContext } from "./crew-types.ts";
import { readNotify } from "./read-notify.ts";
import { readQueues } from "./read-queue.ts";
import { readSetup } from "./read-setup.ts";
import { refuseErrors } from "./refuse-errors.ts";

/** How `loadCrew` reads the files of a crew. */
export type ReadingOptions = Pick<
  CheckCrewOptions,
  "root" | "strict" | "signals" | "entryPoint" | "workingDirectory" | "stubTools" | "allow"
>;

/** How the files of a crew are read, and what its runs need from outside. Everything has a default. */
export interface LoadCrewOptions<
  Tools extends ToolRegistry = ToolRegistry,
  Source extends ContextSource = ContextSource,
> extends ReadingOptions,
    Omit<CrewEnvironment, "root" | "source" | "store" | "tools" | "context"> {
  /** Where runs are stored, such as `openSqliteStore()`. Without a store, paused runs stay in memory as long as the crew does. */
  readonly store?: Store | Promise<Store> | undefined;
  /** Tools that agents may list, besides those that the crew's files name: a list, or a record by name. */
  readonly tools?: Tools | undefined;
  /**
   * What tools and functions find in their `context.context`, such as `{ db }`; or a function that gives each run its own, whenever
   * the run starts or continues in a process. It is never sent to a model and never stored. What tools need and is not given
   * here, each start must give.
   */
  readonly context?: (Source & FittingContext<Source, NeededContext<Tools>>) | undefined;
}

const readingKeys: Readonly<Record<keyof ReadingOptions, true>> = {
  root: true,
  strict: true,
  signals: true,
  entryPoint: true,
  workingDirectory: true,
  stubTools: true,
  allow: true,
};

/**
 * Reads and checks the crew at `path`, and makes it runnable. Nothing is imported, started or called before a run needs it.
 *
 * ```ts
 * const crew = await loadCrew("./desk", { tools: [lookup], store: openSqliteStore(), context: { db } });
 * const { status, output } = await crew.run("The printer is dead");
 * ```
 * Rejects with a `ConfigurationError` (code `invalid-configuration`) with every problem if one of them is an error, with a `BatonError`
 * with the code `ambiguous-tool` or `bad-option`, and with what opening the store rejects with.
 */
export async function loadCrew<
  const Tools extends ToolRegistry = readonly [],
  Source extends ContextSource = Readonly<Record<never, never>>,
>(
  path: string,
  options: LoadCrewOptions<Tools, Source> = {},
): Promise<
  CrewHandle<{
    readonly object: unknown;
    readonly context: MissingContext<NeededContext<Tools>, GivenContext<Source>>;
  }>
> {
  if (typeof path !== "string")
    throw new BatonError(
      "bad-option",
      `loadCrew takes the path of a crew as text, such as "./desk"; got ${typeof path}`,
    );
  const store = isPromise(options?.store) ? await options.store : options?.store;
  const [reading, environment] = splitOptions(options, store);
  checkEnvironment(environment);
  return openFiles(path, reading, readSetup(environment));
}

/** Reads and checks the crew at `path`, and makes it runnable. */
export function openFiles(path: string, reading: ReadingOptions, setup: CrewSetup): CrewHandle {
  const { tools = [], models, store } = setup;
  const { allow } = reading;
  const loaded = checkCrew(path, {
    ...reading,
    tools: tools.map(({ name }) => name),
    approvals: tools.flatMap(({ name, needsApproval }) => (needsApproval ? [name] : [])),
    environment: models?.variables ?? process.env,
  });
  const source = resolve(reading.workingDirectory ?? process.cwd(), path);
  return openCrew(refuseErrors(`the crew at ${path}`, loaded), loaded.diagnostics, {
    ...setup,
    root: loaded.root,
    notify: readNotify(loaded.project),
    queues: readQueues(loaded.project),
    ...(store !== undefined && { source }),
    ...(allow !== undefined && { allow: placeAllowance(allow, reading.workingDirectory ?? process.cwd()) }),
  });
}

/** Options that are not objects are left for the check of the environment. */
function splitOptions(
  options: LoadCrewOptions,
  store: Store | undefined,
): [reading: ReadingOptions, environment: CrewEnvironment] {
  if (typeof options !== "object" || options === null) return [{}, options];
  const entries = Object.entries(store === undefined ? options : { ...options, store });
  const isReading = ([key]: [string, unknown]) => Object.hasOwn(readingKeys, key);
  return [
    Object.fromEntries(entries.filter(isReading)),
    Object.fromEntries(entries.filter((entry) => !isReading(entry))),
  ];
}
