import { createHash } from "node:crypto";
import { joinPlace, listCrews } from "../flow/list-crews.ts";
import { findKey, findReply, hasReplies, type Script, type ScriptedReply } from "../models/script-model.ts";
import type { World } from "../orchestration/crew-run.ts";
import type { OpenRemote, RemoteEnvironment } from "../remote/open-remote.ts";
import { type Clock, sleep } from "../run/clock.ts";
import type { AgentFunction, CallableFunction, FunctionRequest } from "../tools/agent-function.ts";
import { importFunction } from "../tools/import-function.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Agent, Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { listModuleChecks, type ModuleCheck } from "../vocabulary/guard.ts";
import type { RemoteAgent, RemoteIds } from "../vocabulary/remote.ts";

/** Where the functions of agents come from. */
interface FunctionSource {
  /** Functions given in code, by `<crew>/<agent>`. */
  readonly given?: Readonly<Record<string, AgentFunction>> | undefined;
  /** Replies that stand in for the functions of the agents that it names. */
  readonly script?: Script | undefined;
  /** Imports modules again that were imported with another version. */
  readonly version?: number | undefined;
  /** What remote agents are reached with; without it they are only played by the script. */
  readonly remotes?: RemoteEnvironment | undefined;
}

const noReplies: Script = { replies: {} };

/** Imports the functions of agents before the run begins. A function that the script stands in for is not imported. */
export async function prepareFunctions(
  crew: Crew,
  { given = {}, script = noReplies, version, remotes }: FunctionSource,
  clock: Clock,
): Promise<World["findFunction"]> {
  const callables = new Map<Pick<Agent, "id" | "function">, CallableFunction>();
  for (const [place, { agents, guards }] of listCrews(crew)) {
    const checks = listModuleChecks([guards, ...[...agents.values()].map((agent) => agent.guards)]);
    for (const check of checks) callables.set(check, await loadGuard(check, version));
    for (const agent of agents.values()) {
      if (agent.function === undefined) continue;
      const { effect } = agent.function;
      const name = joinPlace(place, agent.id);
      const own =
        agent.function.remote === undefined
          ? createLoader(agent, Object.hasOwn(given, name) ? given[name] : undefined, version)
          : createRemoteLoader(agent.id, agent.function.remote, remotes);
      if (!hasReplies(script, findKey(script, agent.id, place))) await own();
      callables.set(agent, {
        effect,
        ...nameRemoteOf(agent),
        findKey: (id, of) => findKey(script, id, of),
        async call(request, context) {
          const isScripted = hasReplies(script, findKey(script, request.agent, request.crew));
          return isScripted
            ? playReply(script, request, context, clock)
            : (await own())(request.input, context, request.remote);
        },
      });
    }
  }
  return (agent) => callables.get(agent);
}

/** Functions that are never called, for a replay. No module is imported. */
export function createAbsentFunction({ function: own }: Pick<Agent, "function">): CallableFunction | undefined {
  const call = () => Promise.reject(new Error("a replay calls no function"));
  return own && { effect: own.effect, ...nameRemoteOf({ function: own }), call };
}

/** A remote agent, whose card is read when the first run needs it. What loads it is imported then. */
function createRemoteLoader(id: string, remote: RemoteAgent, environment: RemoteEnvironment | undefined) {
  let opened: Promise<OpenRemote> | undefined;
  const refuse = () => Promise.reject(new Error("nothing is called here: give the agent replies in the script"));
  return async () => {
    // A scenario that never reaches the agent needs no replies of it.
    if (environment === undefined) return refuse;
    const { openRemote } = await import("../remote/open-remote.ts");
    opened ??= openRemote(id, remote, environment);
    const { call } = await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return (input: string, context: ToolContext, ids: RemoteIds | undefined) => {
      if (ids === undefined) throw new Error("a remote agent is told something by ids");
      return call(input, ids, context);
    };
  };
}

/** The ids that a remote agent is told by: the same for every attempt, and nothing in them says anything of the run. */
function nameRemoteOf({ function: own }: Pick<Agent, "function">): Pick<CallableFunction, "nameRemote"> {
  if (own?.remote === undefined) return {};
  const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);
  return { nameRemote: (key) => ({ contextId: hash(`context ${key}`), messageId: hash(`message ${key}`) }) };
}

/** A function that guards is called as it is: no script stands in for it. */
async function loadGuard(check: ModuleCheck, version: number | undefined): Promise<CallableFunction> {
  const own = await createLoader(check, undefined, version)();
  return { effect: "read", call: (request, context) => own(request.input, context) };
}

function createLoader(
  { id, function: own }: Pick<Agent, "id" | "function">,
  given: AgentFunction | undefined,
  version: number | undefined,
): () => Promise<AgentFunction> | AgentFunction {
  let loaded = given;
  return async () => {
    if (loaded !== undefined) return loaded;
    if (own?.module === undefined)
      throw new BatonError(
        "no-function",
        `agent '${id}' is a function in code, which is not given here: use the crew that defines it`,
      );
    loaded = await importFunction(id, own.module, version);
    return loaded;
  };
}

async function playReply(
  script: Script,
  request: FunctionRequest,
  { signal }: ToolContext,
  clock: Clock,
): Promise<string> {
  const reply = findReply(script, request);
  refuseUnused(request.agent, reply);
  if (reply.latencyMs > 0) await sleep(clock, reply.latencyMs, signal);
  if (reply.error !== undefined) throw new Error(reply.error.message);
  return reply.text;
}

/** What only a model can reply would be ignored. */
function refuseUnused(agent: string, { toolCalls, reasoning, usage, finish }: ScriptedReply): void {
  if (toolCalls.length === 0 && reasoning === undefined && finish === undefined && (usage?.total ?? 0) === 0) return;
  throw new Error(`agent '${agent}' is a function: its replies in a script have 'text', 'error' and 'latency_ms' only`);
}
