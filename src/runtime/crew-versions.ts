import type { Store } from "../journal/store.ts";
import type { Script } from "../models/script-model.ts";
import { momentVariables } from "../prepare/moment-variables.ts";
import { rememberModels } from "../prepare/remember-models.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { systemClock } from "../run/clock.ts";
import { copyCrew, copyCrewForStore, listChanges, readCrewCopy } from "../run-storage/crew-copy.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { crewChanged } from "./crew-changed.ts";
import type { ResumeOptions, StartOptions } from "./environment.ts";
import { createEntryReader } from "./read-past-entries.ts";
import { Runtime, type RuntimeEnvironment } from "./runtime.ts";
import { createTargetReader } from "./suggest-targets.ts";

/** A crew as it is now, and as it was when a run began: each is a runtime of its own. */
export class CrewVersions {
  readonly current: Runtime;
  readonly #definition: Crew;
  readonly #environment: RuntimeEnvironment;
  readonly #redactor: Redactor;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #readEntries: () => Promise<Pick<Start, "began">>;
  readonly #readTargets: (input: string) => Promise<Pick<Start, "learned">>;
  readonly #scripted = new WeakMap<Script, Runtime>();
  #about: Omit<Start, "input"> | undefined;

  constructor(definition: Crew, environment: RuntimeEnvironment) {
    const { store, clock = systemClock } = environment;
    this.#definition = definition;
    this.#environment = environment;
    this.#redactor = createRedactor(environment.models?.variables ?? process.env);
    const variables = { ...momentVariables(definition, clock.now()), ...environment.variables };
    this.#variables = withoutSecrets(definition, variables, this.#redactor);
    this.#readEntries = createEntryReader(store, definition);
    this.#readTargets = createTargetReader(store, definition);
    this.current = new Runtime(definition, this.#variables, environment);
  }

  /** The runtime of new runs: one for all, or one for all with the same script. */
  runtimeOn(script: Script | undefined): Runtime {
    if (script === undefined) return this.current;
    const known = this.#scripted.get(script);
    if (known !== undefined) return known;
    const runtime = new Runtime(this.#definition, this.#variables, this.#scriptedBy(script));
    this.#scripted.set(script, runtime);
    return runtime;
  }

  /** What a run on an input is started with, so that any process can continue it. */
  startOn(input: string, { script, user }: StartOptions): Promise<Start> | Start {
    const { store } = this.#environment;
    const own = {
      input,
      ...(user !== undefined && { user }),
      ...(script !== undefined && { modelOptions: { isScriptInCode: true } as const }),
    };
    // Without a store there is nothing to read, and so nothing to wait for.
    return store === undefined ? own : this.#startFrom(input, store).then((known) => ({ ...known, ...own }));
  }

  /** What a stored run continues on: the crew as it is, if it did not change or the changes are accepted, or the crew as it was. */
  async runtimeFor(start: Start, options: ResumeOptions, events: readonly BatonEvent[]): Promise<Runtime> {
    const definition = this.#definition;
    const given = options.script === undefined ? this.#environment : this.#scriptedBy(options.script);
    const { store } = given;
    const { fingerprint } = start;
    const isSame = fingerprint === undefined || store === undefined || fingerprint === copyCrew(definition).fingerprint;
    const prompts = start.variables ?? this.#variables;
    const models = rememberModels(given.models, events);
    if (isSame && models === this.#environment.models && prompts === this.#variables) return this.current;
    const environment = { ...this.#environment, ...(models !== undefined && { models }) };
    if (isSame || options.acceptChanges) return new Runtime(definition, prompts, environment);
    const original = await this.originalOf(start);
    if (options.original) return new Runtime(original, prompts, environment);
    const changes = listChanges(original, definition, this.#redactor);
    // No copy has secrets. If only secrets differ, the crew does what it did.
    if (changes.length === 0) return new Runtime(definition, prompts, environment);
    throw crewChanged(changes);
  }

  #scriptedBy(script: Script): RuntimeEnvironment {
    return { ...this.#environment, models: { ...this.#environment.models, script } };
  }

  /** What a run continues on if nothing may be called any more. */
  async idleRuntimeFor(start: Start): Promise<Runtime> {
    const idle = { ...this.#environment, isIdle: true, models: { script: { replies: {} } } };
    return new Runtime(await this.originalOf(start), start.variables ?? {}, idle);
  }

  /** The crew as it was when a run began. */
  async originalOf({ fingerprint }: Start): Promise<Crew> {
    const { store } = this.#environment;
    return (store && (await readCrewCopy(store, fingerprint))) ?? this.#definition;
  }

  async #startFrom(input: string, store: Store): Promise<Start> {
    this.#about ??= await this.#describe(store);
    return { input, ...this.#about, ...(await this.#readEntries()), ...(await this.#readTargets(input)) };
  }

  /** What every run of the crew is started with. A copy of the crew is stored once. */
  async #describe(store: Store): Promise<Omit<Start, "input">> {
    const { source, models } = this.#environment;
    const variables = this.#variables;
    const { fingerprint, value } = copyCrewForStore(this.#definition, this.#redactor);
    await store.put("crew", fingerprint, value, 0);
    return {
      fingerprint,
      ...(source !== undefined && { source }),
      ...(Object.keys(variables).length > 0 && { variables }),
      ...(models?.named !== undefined && { modelOptions: models.named }),
    };
  }
}

/** Variables enter a run as its input does: everybody, the model included, sees them without secrets. */
function withoutSecrets(
  { settings }: Crew,
  variables: Readonly<Record<string, string>>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  if (!settings.redact) return variables;
  // The name of a variable may say that its value is a secret. Redaction replaces strings by strings.
  const redacted = redactor.redactValue(variables) as Record<string, string>;
  const [names, values] = [Object.keys(variables), Object.values(redacted)];
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}
