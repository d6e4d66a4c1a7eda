import { type Model, ModelError, type ModelReply, type ModelRequest } from "../src/models/model.ts";
import { readToolCall } from "../src/models/read-tool-call.ts";
import type { World } from "../src/orchestration/crew-run.ts";
import { type Clock, sleep } from "../src/run/clock.ts";
import type { CallableFunction } from "../src/tools/agent-function.ts";
import type { Tool } from "../src/tools/tool.ts";
import type { Agent } from "../src/vocabulary/crew.ts";
import type { RandomCrew } from "./random-crew.ts";
import { addFile } from "./random-files.ts";
import type { RandomReply } from "./random-replies.ts";
import type { ToolTraits } from "./random-surroundings.ts";

/** What is called for a recall, which is asked again until it is recorded: it begins with no event. */
export const RECALL = "memory to recall";

export interface WorldOptions {
  readonly clock: Clock;
  /** The time of those that do not listen when they are told to stop. */
  readonly deafClock: Clock;
  /** Told of every call that is really made. */
  readonly onCall: (what: string) => void;
}

/** The world of a random crew. It keeps no state: what it does follows from what it is asked, however often that is. */
export function createWorld(
  random: RandomCrew,
  { clock, deafClock, onCall }: WorldOptions,
): Pick<World, "models" | "findFunction" | "tool" | "external" | "memory"> {
  const wait = (ms: number, isDeaf: boolean, signal: AbortSignal): Promise<void> =>
    isDeaf ? new Promise((resolve) => void deafClock.after(ms, resolve)) : sleep(clock, ms, signal);
  const modelOf = (name: string): Model => ({
    name,
    call(request) {
      onCall(`model of ${request.agent}`);
      const replies = random.replies[request.agent] ?? [];
      const reply = replies[(request.calls - 1) % replies.length];
      if (reply === undefined) throw new ModelError("there is no reply", { isRetryable: false });
      if (reply.fault === "never") return new Promise(() => {});
      if (!reply.latencyMs) return answer(reply, request);
      return wait(reply.latencyMs, reply.fault === "deaf", request.signal).then(() => answer(reply, request));
    },
  });
  const call: CallableFunction["call"] = async ({ agent, calls }, { signal }) => {
    onCall(`function of ${agent}`);
    const replies = random.replies[agent] ?? [];
    const { text, error, fault, latencyMs } = replies[(calls - 1) % replies.length] ?? {};
    if (fault === "never") return new Promise(() => {});
    if (latencyMs) await wait(latencyMs, fault === "deaf", signal);
    if (fault === "throws" || error !== undefined) throw new Error(`status ${error?.status}`);
    return text;
  };
  return {
    findFunction: ({ function: own }) => own && { effect: own.effect, call },
    models: ({ models }: Agent) =>
      models.length === 0 ? [modelOf("script")] : models.map(({ model }) => modelOf(model)),
    tool: (name) => createTool(name, random.tools[name] ?? {}, wait, onCall),
    memory: {
      async remember({ id, text }) {
        onCall("memory");
        if (text === "[END]") throw new Error("the disk is full");
        return { id, isNew: true, dropped: 0 };
      },
      async recall({ limit }) {
        onCall(RECALL);
        const found = ["ann drinks tea [END]", "bob drinks </memory> coffee", "nobody"].slice(0, limit - 1);
        return found.map((text, index) => ({ id: `mem_000000000000000${index}`, text, tags: [], at: 0 }));
      },
      async forget(_, id) {
        onCall("memory");
        return id !== "nothing";
      },
    },
    async external({ signal }, _, abort) {
      onCall(`handler of ${signal}`);
      const { ms, response, failures = [] } = random.externals[signal] ?? { ms: 0 };
      if (ms > 0) await wait(ms, true, abort);
      return { failures, ...(response !== undefined && { response }) };
    },
  };
}

function answer(reply: RandomReply, request: ModelRequest): ModelReply {
  const { text = "", reasoning, error, fault, tools = [], usage } = reply;
  if (fault === "throws") throw new TypeError("undefined is not a function");
  if (error !== undefined) throw new ModelError(`status ${error.status}`, error);
  if (text !== "") request.onText(text);
  return {
    text,
    toolCalls: tools.map(({ name, args }) =>
      typeof args === "string" ? readToolCall(name, args) : { name, args: args ?? {} },
    ),
    finish: tools.length > 0 ? "tool-calls" : "stop",
    ...(reasoning !== undefined && { reasoning }),
    ...(usage !== undefined && {
      usage: { ...usage, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: usage.input + usage.output },
    }),
  };
}

interface ToolPlan {
  readonly ms?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly problem?: string;
  readonly fault?: "never" | "deaf";
}

/** A tool that does what its arguments say. */
function createTool(
  name: string,
  traits: ToolTraits,
  wait: (ms: number, isDeaf: boolean, signal: AbortSignal) => Promise<void>,
  onCall: (what: string) => void,
): Tool {
  const planOf = (args: unknown): ToolPlan => (typeof args === "object" && args !== null ? args : {});
  return {
    name,
    description: `does ${name}`,
    parameters: { type: "object" },
    read(args) {
      const { problem } = planOf(args);
      return problem === undefined ? { value: args } : { problem };
    },
    async execute(args, { signal }) {
      onCall(`tool ${name}`);
      const { ms = 0, result, error, fault } = planOf(args);
      if (fault === "never") await new Promise(() => {});
      if (ms > 0) await wait(ms, fault === "deaf", signal);
      if (error !== undefined) throw new Error(error);
      return addFile(result);
    },
    timeoutMs: traits.timeoutMs,
    // What a process died over is called again, and nobody has to be asked.
    effect: "idempotent",
    isSequential: traits.isSequential ?? false,
    needsApproval: traits.needsApproval ?? false,
  };
}
