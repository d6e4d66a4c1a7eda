import type { Store } from "../journal/store.ts";
import { rememberModels } from "../prepare/remembered-models.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { changesBetween, copyOf, readCrewCopy, storedCopyOf } from "../run-storage/crew-copy.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { checkInput, checkInputSize } from "./check-input.ts";
import { crewChanged } from "./crew-changed.ts";
import { createEntryReader } from "./read-past-entries.ts";
import { createCrewRunner, type RunCrew, type RunEnvironment, type RunOptions, type SharedByRuns } from "./run-crew.ts";
import { createTargetReader } from "./suggest-targets.ts";

/** What a crew's runs need from outside; all of it has a default. */
export interface CrewEnvironment extends RunEnvironment {
  /** What `{{name}}` stands for in the agents' prompts. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where the crew comes from, so that a run can be resumed by its id alone. */
  readonly source?: string;
  /** Where runs are kept; without one, those that are paused are kept in memory for as long as the crew is. */
  readonly store?: Store;
}

/** How a run is taken up again, where the crew is not what it was. */
export interface ResumeOptions extends RunOptions {
  /** Goes on with the crew as it is now. */
  readonly acceptChanges?: boolean;
  /** Goes on with the crew as it was, of which the store has a copy. */
  readonly original?: boolean;
  /** Waits until the process that has the run gives it up or has died, where the run would be refused otherwise. */
  readonly wait?: boolean;
}

/** A crew as it is, and as it was when a run began. */
export interface CrewVersions {
  readonly current: RunCrew;
  /** What a run on an input is started with, so that it can be taken up again. */
  startOn(input: string): Promise<Start> | Start;
  /** What goes on with a run: the crew as it is, if it is as it was or its changes are accepted; or as it was. */
  runnerFor(start: Start, options: ResumeOptions, events: readonly BatonEvent[]): Promise<RunCrew>;
  originalOf(start: Start): Promise<Crew>;
}

export function createCrewVersions(definition: Crew, environment: CrewEnvironment & SharedByRuns): CrewVersions {
  const { store } = environment;
  const redactor = createRedactor(environment.models?.variables ?? process.env);
  const variables = withoutSecrets(definition, environment.variables ?? {}, redactor);
  const current = createCrewRunner(definition, variables, environment);
  const runnerFor = async (start: Start, options: ResumeOptions, events: readonly BatonEvent[]): Promise<RunCrew> => {
    const { fingerprint } = start;
    const isSame = fingerprint === undefined || store === undefined || fingerprint === copyOf(definition).fingerprint;
    const prompts = start.variables ?? variables;
    const models = rememberModels(environment.models, events);
    if (isSame && models === environment.models && prompts === variables) return current;
    const remembering = { ...environment, ...(models !== undefined && { models }) };
    if (isSame || options.acceptChanges) return createCrewRunner(definition, prompts, remembering);
    const original = await originalOf(start);
    if (options.original) return createCrewRunner(original, prompts, remembering);
    const changes = changesBetween(original, definition, redactor);
    // Where only secrets differ, which no copy has, the crew does what it did.
    if (changes.length === 0) return createCrewRunner(definition, prompts, remembering);
    throw crewChanged(changes);
  };
  /** The crew as it was when a run began. */
  const originalOf = async ({ fingerprint }: Start): Promise<Crew> =>
    (store && (await readCrewCopy(store, fingerprint))) ?? definition;

  const about = aboutCrew(definition, { ...environment, variables }, redactor);
  const readTargets = createTargetReader(store, definition);
  const readEntries = createEntryReader(store, definition);
  const startFrom = async (input: string) => {
    return { input, ...(await about()), ...(await readEntries()), ...(await readTargets(input)) };
  };
  const startOn = (input: string) => {
    checkInput(input);
    checkInputSize(input, definition);
    // Without a store there is nothing to read, and so nothing to wait for.
    return store === undefined ? { input } : startFrom(input);
  };
  return { current, startOn, runnerFor, originalOf };
}

/** Variables enter a run as its input does: everybody sees the same of them, the model too. */
function withoutSecrets(
  { settings }: Crew,
  variables: Readonly<Record<string, string>>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  if (!settings.redact) return variables;
  // A value's name may say what it is, as in a tool's arguments; redaction replaces strings by strings.
  const redacted = redactor.redactValue(variables) as Record<string, string>;
  const [names, values] = [Object.keys(variables), Object.values(redacted)];
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}

/** What every run of a crew is started with, so that it can be taken up again: the copy of it is put into the store once. */
function aboutCrew(
  definition: Crew,
  { store, source, models, variables = {} }: CrewEnvironment,
  redactor: Redactor,
): () => Promise<Omit<Start, "input">> {
  if (store === undefined) return async () => ({});
  let about: Omit<Start, "input"> | undefined;
  return async () => {
    if (about !== undefined) return about;
    const { fingerprint, value } = storedCopyOf(definition, redactor);
    await store.put("crew", fingerprint, value, 0);
    about = {
      fingerprint,
      ...(source !== undefined && { source }),
      ...(Object.keys(variables).length > 0 && { variables }),
      ...(models?.named !== undefined && { modelOptions: models.named }),
    };
    return about;
  };
}
