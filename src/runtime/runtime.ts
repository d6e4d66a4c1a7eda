import { listAgents } from "../flow/list-crews.ts";
import { openMemoryStore } from "../journal/memory-store.ts";
import type { Model } from "../models/model.ts";
import type { World } from "../orchestration/crew-run.ts";
import type { MemoryPort } from "../orchestration/memory-port.ts";
import { createEntryRanker } from "../orchestration/rank-entries.ts";
import { SignalReader } from "../orchestration/read-signals.ts";
import { collectTeamKinds } from "../prepare/collect-team-kinds.ts";
import { fillVariables } from "../prepare/fill-variables.ts";
import { createAbsentFunction, prepareFunctions } from "../prepare/prepare-functions.ts";
import { prepareModels } from "../prepare/prepare-models.ts";
import { prepareOutputChecks } from "../prepare/prepare-output-checks.ts";
import { prepareTools } from "../prepare/prepare-tools.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { type Clock, systemClock } from "../run/clock.ts";
import type { KeptDayTotals } from "../run-storage/keep-day-totals.ts";
import { holdServers } from "../servers/hold-servers.ts";
import { isServerPattern } from "../tools/server-pattern.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { deliverExternals, type ExternalHandler, refuseUnready } from "./deliver-external.ts";
import type { CrewEnvironment, CrewSetup } from "./environment.ts";
import { openMemory } from "./open-memory.ts";
import { type ContextRequest, resolveContext } from "./resolve-context.ts";

/** What all runs of a crew in this process share. */
export interface RuntimeEnvironment extends CrewSetup {
  readonly dayTotals: KeptDayTotals;
  /** Whether nothing is called any more, so that no tool is imported and no server started. */
  readonly isIdle?: boolean;
}

/** The parts of a runtime that take time to make. */
export interface Prepared {
  readonly models: World["models"];
  readonly findFunction: World["findFunction"];
  readonly findOutputCheck: NonNullable<World["findOutputCheck"]>;
  /** Undefined where nothing is called. */
  readonly tool: World["tool"] | undefined;
  readonly teamKinds: ReadonlyMap<string, NonNullable<CrewEnvironment["teams"]>[string]>;
}

/** A crew together with its models, tools and servers, made once for all its runs. */
export class Runtime {
  readonly crew: Crew;
  /** What `{{name}}` stands for in the agents' prompts. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly dayTotals: KeptDayTotals;
  readonly signalReader = new SignalReader();
  readonly rankEntries = createEntryRanker();
  readonly isIdle: boolean;
  /** Whether an agent has all tools of a server, so that a run must record which these were. */
  readonly usesServerPatterns: boolean;
  readonly captureContent: boolean | undefined;
  /** The project's folder. */
  readonly root: string | undefined;
  /** Environment variables, for keys and secrets. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Starts the MCP servers that the crew needs, or shares those that run already. */
  readonly holdServers: ReturnType<typeof holdServers>;
  readonly #environment: RuntimeEnvironment;
  readonly #external: World["external"];
  readonly #isRemembering: boolean;
  #memory: MemoryPort | undefined;
  #prepared: Prepared | Promise<Prepared> | undefined;

  constructor(crew: Crew, prompts: Readonly<Record<string, string>>, environment: RuntimeEnvironment) {
    const { models, tools = [], approveServer, onWait, isIdle = false } = environment;
    this.#environment = environment;
    this.crew = fillVariables(crew, prompts);
    this.prompts = prompts;
    this.clock = environment.clock ?? systemClock;
    this.variables = models?.variables ?? process.env;
    this.redactor = createRedactor(this.variables);
    this.dayTotals = environment.dayTotals;
    this.isIdle = isIdle;
    const agents = listAgents(this.crew).map(([, agent]) => agent);
    this.usesServerPatterns = agents.some((agent) => agent.tools.some(isServerPattern));
    this.#isRemembering = agents.some(({ memory }) => memory !== undefined);
    this.captureContent = environment.captureContent;
    this.root = environment.root;
    const { variables } = this;
    const names = new Set(tools.map(({ name }) => name));
    this.holdServers = holdServers(this.crew, names, { variables, approveServer, onWait, isIdle });
    this.#external = this.externalFor(undefined);
  }

  /** What tools and functions find in their context; undefined where nothing is called or nobody gives anything. */
  contextFor(own: object | undefined, request: ContextRequest): Promise<object> | undefined {
    const { context } = this.#environment;
    if (this.isIdle || (context === undefined && own === undefined)) return undefined;
    return resolveContext(context, own, request);
  }

  /** The memory of the crew's store, or one that ends with this process; undefined for crews that remember nothing. */
  memory(): MemoryPort | undefined {
    if (this.#memory !== undefined || !this.#isRemembering) return this.#memory;
    const store = this.#environment.store ?? openMemoryStore({ clock: this.clock });
    this.#memory = openMemory(store, this.clock, this.variables);
    return this.#memory;
  }

  /** Makes the models and tools ready when the first run needs them, and again only if that failed. */
  prepare(): Prepared | Promise<Prepared> {
    this.#prepared ??= this.#prepare().then(
      (prepared) => {
        this.#prepared = prepared;
        return prepared;
      },
      (error: unknown) => {
        this.#prepared = undefined;
        throw error;
      },
    );
    return this.#prepared;
  }

  /** The same models on another clock. */
  modelsOn(clock: Clock): Promise<(agent: Parameters<World["models"]>[0]) => readonly Model[]> {
    return prepareModels(this.crew, { ...this.#environment.models, variables: this.variables }, clock);
  }

  /** The same functions on another clock, which only a script looks at. */
  functionsOn(clock: Clock): Promise<World["findFunction"]> {
    const { functions, models, approveServer } = this.#environment;
    const remotes = { variables: this.variables, approveServer };
    return prepareFunctions(this.crew, { given: functions, script: models?.script, remotes }, clock);
  }

  /** Delivers external signals to the crew's webhook and to a handler in code. */
  externalFor(handler: ExternalHandler | undefined): World["external"] {
    if (handler === undefined && this.#external !== undefined) return this.#external;
    return deliverExternals(this.crew, handler, this);
  }

  async #prepare(): Promise<Prepared> {
    const { tools = [], teams, schemas, root = process.cwd() } = this.#environment;
    if (!this.isIdle) refuseUnready(this.crew, this.variables);
    const tool = this.isIdle ? undefined : await prepareTools(this.crew, tools, { root, variables: this.variables });
    const models = await this.modelsOn(this.clock);
    const findFunction = this.isIdle ? createAbsentFunction : await this.functionsOn(this.clock);
    const findOutputCheck = prepareOutputChecks(this.crew, schemas);
    return { models, findFunction, findOutputCheck, tool, teamKinds: collectTeamKinds(this.crew, teams) };
  }
}
