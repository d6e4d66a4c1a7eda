import type { Store } from "../journal/store.ts";
import type { Script } from "../models/script-model.ts";
import { listVariables, momentVariables } from "../prepare/fill-variables.ts";
import { rememberModels } from "../prepare/remember-models.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { systemClock } from "../run/clock.ts";
import { copyCrew, copyCrewForStore, listChanges, readCrewCopy } from "../run-storage/crew-copy.ts";
import { findEntry } from "../views/conversation-state.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Said, Start } from "../vocabulary/run-start.ts";
import { crewChanged } from "./crew-changed.ts";
import type { HistoryMessage, ResumeOptions, StartOptions } from "./environment.ts";
import { createEntryReader } from "./read-past-entries.ts";
import { Runtime, type RuntimeEnvironment } from "./runtime.ts";
import { createTargetReader } from "./suggest-targets.ts";
import { trimSaid } from "./trim-said.ts";

/** A crew as it is now, and as it was when a run began: each is a runtime of its own. */
export class CrewVersions {
  readonly current: Runtime;
  readonly #definition: Crew;
  readonly #environment: RuntimeEnvironment;
  readonly #redactor: Redactor;
  readonly #variables: Readonly<Record<string, string>>;
  #readEntries: (() => Promise<Pick<Start, "began">>) | undefined;
  #readTargets: ((input: string) => Promise<Pick<Start, "learned">>) | undefined;
  readonly #scripted = new WeakMap<Script, Runtime>();
  #about: Omit<Start, "input"> | undefined;

  constructor(definition: Crew, environment: RuntimeEnvironment) {
    const { clock = systemClock } = environment;
    this.#definition = definition;
    this.#environment = environment;
    this.#redactor = createRedactor(environment.models?.variables ?? process.env);
    const variables = { ...momentVariables(definition, clock.now()), ...environment.variables };
    this.#variables = withoutSecrets(definition, variables, this.#redactor);
    this.current = new Runtime(definition, this.#variables, environment);
  }

  /** The runtime of new runs: one for all, or one for all with the same script; variables of its own need a runtime of its own. */
  runtimeOn({ script, variables }: Pick<StartOptions, "script" | "variables">): Runtime {
    if (this.#environment.onlyQueues) return this.#idleRuntime(this.#definition, variables);
    if (variables !== undefined) {
      const environment = script === undefined ? this.#environment : this.#scriptedBy(script);
      return new Runtime(this.#definition, this.#withOwn(variables), environment);
    }
    if (script === undefined) return this.current;
    const known = this.#scripted.get(script);
    if (known !== undefined) return known;
    const runtime = new Runtime(this.#definition, this.#variables, this.#scriptedBy(script));
    this.#scripted.set(script, runtime);
    return runtime;
  }

  /** What a run on an input is started with, so that any process can continue it. */
  startOn(input: string, options: StartOptions): Promise<Start> | Start {
    const { script, user, by, history, variables, isServed } = options;
    const { store } = this.#environment;
    if (variables !== undefined) refuseUnusedVariables(this.#definition, variables);
    const own = {
      input,
      ...(user !== undefined && { user }),
      ...(by !== undefined && { by }),
      ...(isServed && { isServed }),
      ...(history !== undefined && { history: this.#readHistory(history) }),
      ...(variables !== undefined && { variables: this.#withOwn(variables) }),
      ...(script !== undefined && { modelOptions: { isScriptInCode: true } as const }),
    };
    // Without a store there is nothing to read, and so nothing to wait for.
    return store === undefined ? own : this.#startFrom(input, store).then((known) => ({ ...known, ...own }));
  }

  #withOwn(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return { ...this.#variables, ...withoutSecrets(this.#definition, variables, this.#redactor) };
  }

  /** History loses its secrets before it enters the run, as all input does. */
  #readHistory(history: readonly HistoryMessage[]): readonly Said[] {
    const { settings } = this.#definition;
    const clean = (text: string) => (settings.redact ? this.#redactor.redact(text) : text);
    const said = history.map(({ role, text, agent = findEntry(this.#definition) }): Said => {
      return role === "user" ? { text: clean(text) } : { agent, text: clean(text) };
    });
    return trimSaid(said, 0, this.#definition).said;
  }

  /** What a stored run continues on: the crew as it is, if it did not change or the changes are accepted, or the crew as it was. */
  async runtimeFor(start: Start, options: ResumeOptions, events: readonly BatonEvent[]): Promise<Runtime> {
    const definition = this.#definition;
    if (this.#environment.onlyQueues) return this.idleRuntimeFor(start);
    const given = options.script === undefined ? this.#environment : this.#scriptedBy(options.script);
    const { store } = given;
    const { fingerprint } = start;
    const isSame = fingerprint === undefined || store === undefined || fingerprint === copyCrew(definition).fingerprint;
    const prompts = start.variables ?? this.#variables;
    const models = rememberModels(given.models, events);
    if (isSame && models === this.#environment.models && prompts === this.#variables) return this.current;
    const environment = { ...this.#environment, ...(models !== undefined && { models }) };
    if (isSame || options.acceptChanges) return new Runtime(definition, prompts, environment);
    const original = await this.findOriginal(start);
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
    return this.#idleRuntime(await this.findOriginal(start), start.variables);
  }

  #idleRuntime(crew: Crew, variables: Start["variables"] = {}): Runtime {
    const { variables: environment } = this.#environment.models ?? {};
    const models = { script: { replies: {} }, ...(environment !== undefined && { variables: environment }) };
    return new Runtime(crew, variables, { ...this.#environment, isIdle: true, models });
  }

  /** The crew as it was when a run began. */
  async findOriginal({ fingerprint }: Start): Promise<Crew> {
    const { store } = this.#environment;
    return (store && (await readCrewCopy(store, fingerprint))) ?? this.#definition;
  }

  async #startFrom(input: string, store: Store): Promise<Start> {
    this.#about ??= await this.#describe(store);
    this.#readEntries ??= createEntryReader(store, this.#definition);
    this.#readTargets ??= createTargetReader(store, this.#definition);
    return { input, ...this.#about, ...(await this.#readEntries()), ...(await this.#readTargets(input)) };
  }

  /** What every run of the crew is started with. A copy of the crew is stored once. */
  async #describe(store: Store): Promise<Omit<Start, "input">> {
    const { source, models, allow } = this.#environment;
    const variables = this.#variables;
    const { fingerprint, value } = copyCrewForStore(this.#definition, this.#redactor);
    await store.put("crew", fingerprint, value, 0);
    return {
      fingerprint,
      ...(source !== undefined && { source }),
      ...(allow !== undefined && { allow }),
      ...(Object.keys(variables).length > 0 && { variables }),
      ...(models?.named !== undefined && { modelOptions: models.named }),
    };
  }
}

/** A variable that no prompt has is a slip: the prompt that it was for would go to the model as it is. */
function refuseUnusedVariables(crew: Crew, given: Readonly<Record<string, string>>): void {
  const names = listVariables(crew);
  const unused = Object.keys(given).find((name) => !names.has(name));
  if (unused === undefined) return;
  const known = names.size === 0 ? "the prompts have no variables" : `they have ${[...names].join(", ")}`;
  throw new BatonError(
    "bad-option",
    `the variable '${unused}' does nothing, since no prompt has {{${unused}}}: ${known}`,
  );
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
