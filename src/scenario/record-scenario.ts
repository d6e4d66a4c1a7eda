import { writeYaml } from "../definition/write-yaml.ts";
import { buildResult } from "../views/run-result.ts";
import { type Attachment, removeReferences } from "../vocabulary/attachment.ts";
import type { Usage, UsageSum } from "../vocabulary/bill.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent, EventOf, EventType } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { removeIdleTime } from "../vocabulary/idle-time.ts";

/** A wait that never ends before what it waits for. */
const FOREVER_MS = 86_400_000;

/** Writes a scenario that plays a recorded run again: its replies, its tools' results, its answers, and how it must end. */
export function recordScenario(
  recorded: readonly BatonEvent[],
  crew: string,
  nameFile: NameFile = ({ name }) => name,
): string {
  const events = removeIdleTime(recorded);
  const [started] = events;
  if (started?.type !== "run.started") throw new Error("a run begins with run.started");
  if ((started.data.session?.said.length ?? 0) > 0)
    throw new BatonError("not-recordable", "the run continues a conversation, which a scenario cannot begin with");
  const { status, stopReason, output, finalAgent, path, handoffs, usage } = buildResult(events);
  if (status === "cancelled" || status === "running")
    throw new BatonError(
      "not-recordable",
      `the run is ${status}; a scenario plays runs that completed, failed or are paused`,
    );
  const tools = recordTools(events, nameFile);
  // Scenarios do not crash, so they contain no question whether a tool's call happened.
  const answers = events.flatMap((event) => {
    if (event.type !== "run.resumed" || /\/happened\d+$/.test(event.path)) return [];
    const { modelOptions: _, attachments, ...answer } = event.data;
    const given = attachments === undefined ? answer : { ...answer, attachments: listFiles(attachments, nameFile) };
    return [answer.by === "deadline" ? { expired: true } : given];
  });
  return writeYaml({
    name: `recorded: ${started.data.input.split("\n")[0]?.slice(0, 80)}`,
    run: crew,
    input: started.data.input,
    ...(started.data.attachments && { attachments: listFiles(started.data.attachments, nameFile) }),
    script: Object.fromEntries(recordScript(events)),
    ...(tools.size > 0 && { tools: Object.fromEntries(tools) }),
    ...(answers.length > 0 && { resume: answers }),
    expect: {
      status,
      stopReason,
      output,
      finalAgent,
      path,
      handoffs,
      ...(isCounted(usage) && { usage: writeUsage(usage) }),
    },
  });
}

/** Where a file of the run is, as the scenario names it. */
export type NameFile = (attachment: Attachment) => string;

function listFiles(attachments: readonly Attachment[], nameFile: NameFile) {
  return attachments.map((each) => ({ path: nameFile(each), name: each.name }));
}

/** Replies in the order of the calls, per agent, or per crew and agent. */
function recordScript(events: readonly BatonEvent[]): Map<string, unknown[]> {
  const script = new Map<string, unknown[]>();
  for (const called of selectType(events, "model.called")) {
    const result = events.find(
      (event) => event.path === called.path && (event.type === "model.completed" || event.type === "model.failed"),
    );
    const reply = result === undefined ? undefined : recordReply(called, result);
    const name = nameSpeaker(called);
    if (reply !== undefined) script.set(name, [...(script.get(name) ?? []), reply]);
  }
  for (const [name, reply] of recordFunctions(events)) script.set(name, [...(script.get(name) ?? []), reply]);
  return script;
}

/** What the functions of agents returned. A call that was repeated after a crash is recorded twice and has one result. */
function recordFunctions(events: readonly BatonEvent[]): [name: string, reply: unknown][] {
  const calls = new Map(selectType(events, "function.called").map((event) => [event.path, event]));
  return [...calls.values()].flatMap((called): [string, unknown][] => {
    const result = events.find(({ path, type }) => path === called.path && /^function\.(completed|failed)$/.test(type));
    const latency = result !== undefined && result.ts > called.ts ? { latency_ms: result.ts - called.ts } : {};
    if (result?.type === "function.completed") return [[nameSpeaker(called), { text: result.data.result, ...latency }]];
    if (result?.type !== "function.failed") return [];
    const { code, message } = result.data;
    const reply =
      code === "tool_failed" ? { error: { message }, ...latency } : { text: "too late", latency_ms: FOREVER_MS };
    return [[nameSpeaker(called), reply]];
  });
}

function recordReply(called: EventOf<"model.called">, result: BatonEvent): unknown {
  const tookMs = Math.max(0, result.ts - called.ts - (called.data.waitMs ?? 0));
  const latency = tookMs > 0 ? { latency_ms: tookMs } : {};
  if (result.type === "model.completed") {
    const { text, reasoning, toolCalls, finish, usage } = result.data;
    return {
      text,
      ...(finish === "length" && { finish }),
      ...(reasoning !== undefined && { reasoning }),
      ...(toolCalls.length > 0 && {
        tools: toolCalls.map(({ name, args, malformed }) => ({ name, args: malformed ?? args })),
      }),
      ...(usage !== undefined && usage.total > 0 && { usage: writeUsage(usage) }),
      ...latency,
    };
  }
  if (result.type !== "model.failed") return undefined;
  const { code, status, message, retryAfterMs } = result.data;
  // The call that replaced it has the reply.
  if (code === "lost") return undefined;
  if (code === "cancelled" || code === "timeout") return { text: "too late", latency_ms: FOREVER_MS };
  return {
    error: {
      message,
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retry_after: retryAfterMs / 1000 }),
    },
    ...latency,
  };
}

/** The results of each tool, call after call. Calls that were refused before they reached the tool do not count. */
function recordTools(events: readonly BatonEvent[], nameFile: NameFile): Map<string, unknown[]> {
  const tools = new Map<string, unknown[]>();
  const sessions = new Set(selectType(events, "agent.started").map(({ path }) => path));
  const approvals = new Set(selectType(events, "run.paused").map(({ path }) => path));
  // A call that was repeated after a crash is recorded twice and has one result.
  const calls = new Map(selectType(events, "tool.called").map((event) => [event.path, event]));
  for (const { path, ts, data } of calls.values()) {
    const result = events.find((event) => event.path === path && /^tool\.(completed|failed)$/.test(event.type));
    const isOurs = sessions.has(`${path}/a`) || isOfRun(data.tool) || result === undefined;
    if (isOurs) continue;
    const needsApproval = approvals.has(`${path}/ask`) ? { needs_approval: true } : {};
    const given = {
      ...recordOutcome(result, nameFile),
      ...(result.ts > ts && { delay_ms: result.ts - ts }),
      ...needsApproval,
    };
    tools.set(data.tool, [...(tools.get(data.tool) ?? []), given]);
  }
  return tools;
}

/** Whether a tool acts within the run. */
function isOfRun(tool: string): boolean {
  return tool === "signal" || tool === "crew__delegate" || tool.startsWith("memory__");
}

function recordOutcome(event: BatonEvent, nameFile: NameFile): object {
  if (event.type === "tool.completed") {
    const { result, attachments } = event.data;
    if (attachments === undefined) return { result };
    return { result: { text: removeReferences(result, attachments), attachments: listFiles(attachments, nameFile) } };
  }
  return event.type === "tool.failed" ? { error: event.data.message } : {};
}

function selectType<Type extends EventType>(events: readonly BatonEvent[], type: Type): EventOf<Type>[] {
  // Events of this type have the data of this type.
  return events.filter((event) => event.type === type) as EventOf<EventType>[] as EventOf<Type>[];
}

/** Tokens under the names that scenarios use, without those that are 0. */
function writeUsage({ input, output, cacheRead, cacheWrite, reasoning }: Usage): object {
  const all = { input, output, cache_read: cacheRead, cache_write: cacheWrite, reasoning };
  return Object.fromEntries(Object.entries(all).filter(([, tokens]) => tokens > 0));
}

/** Tokens that are unknown or 0 are not expected. */
function isCounted(usage: UsageSum): usage is Usage {
  return usage.total !== null && usage.total > 0;
}
