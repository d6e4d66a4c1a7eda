import type { Step } from "../../flow/coverage/shortest-way.ts";
import type { Transition } from "../../flow/transitions.ts";
import { parseItemPath } from "../../template/item-path.ts";
import type { Agent, Condition, Crew } from "../../vocabulary/crew.ts";
import { sampleValue } from "./sample-value.ts";

/** A reply as a scenario's script has it. */
export type Reply = Readonly<Record<string, unknown>>;

/** An error that no retry helps against. */
export const refused: Reply = { error: { status: 401, message: "TODO: why the model fails" } };
/** An error that may pass. */
export const overloaded: Reply = { error: { status: 503, message: "TODO: why the model fails" } };

/** What a list for a group with `for_each` should have: by default one item. */
export interface ReplyWishes {
  readonly items?: number;
}

/** The words that somebody is to fill in. */
function writeWords(agent: string): string {
  return `TODO: what ${agent} says`;
}

/** An answer without a signal, in the format that the agent's output has. */
export function writeAnswer(agent: Agent, more = ""): Reply {
  return { text: writeText(agent, undefined, more) };
}

/** A list of replies with which an agent takes a transition. */
export function writeTransition(crew: Crew, agent: Agent, transition: Transition, wishes: ReplyWishes = {}): Reply[] {
  const { kind, stop, signal } = transition;
  const to = stop.type === "agent" ? stop.agent : "";
  switch (kind) {
    case "signal":
      return [writeSignal(crew, agent, signal ?? "", stop.type === "group" ? stop.group : undefined, wishes)];
    case "router": {
      const when = agent.router?.destinations.find((each) => each.agent === to)?.when;
      return [callTool("handoff-to", { agent: to }, satisfy(when))];
    }
    case "transfer": {
      const when = agent.collaborations.find((each) => each.agent === to)?.when;
      return [callTool(`transfer_to_${to}`, { context: {} }, satisfy(when))];
    }
    case "handoff":
      return writeHandoff(agent);
    case "sub-agent":
      return [callTool(`agent__${to}`, { prompt: `TODO: what ${to} is asked` })];
    case "composed":
      return [
        callTool("crew__compose", { mode: "sequence", agents: [{ agent: to, task: `TODO: the task of ${to}` }] }),
      ];
    case "default":
    case "target":
    case "fallback": {
      const group = stop.type === "group" ? stop.group : undefined;
      const answer = { text: writeText(agent, findList(crew, group, wishes)) };
      const isAskedAgain = crew.settings.onNoSignal === "repair" && kind === "fallback" && crew.bindings.has(agent.id);
      return isAskedAgain ? [answer, answer] : [answer];
    }
    case "team":
    case "wait":
    case "terminal":
      return [writeAnswer(agent)];
    case "advisor":
    case "guard":
    case "team-member":
    case "member":
    case "next":
      return [];
  }
}

/** Whether the agent at a step has to say something for it. */
export function findSpeaker(crew: Crew, { at, transition }: Step): Agent | undefined {
  if (at.type !== "agent") return undefined;
  const isAutomatic = ["advisor", "guard", "team-member", "member", "next"].includes(transition.kind);
  return isAutomatic ? undefined : crew.agents.get(at.agent);
}

/** An answer that meets the condition of the agent's handoff. */
export function writeHandoff(agent: Agent): Reply[] {
  const when = agent.handoff?.when;
  if (when?.status === "failed") return [refused];
  const turns = Array.from({ length: when?.turnsOver ?? 0 }, () => callTool("todo", {}));
  return [...turns, { text: writeText(agent, undefined, satisfy(when)) }];
}

export function writeSignal(
  crew: Crew,
  agent: Agent,
  signal: string,
  group: string | undefined,
  wishes: ReplyWishes = {},
): Reply {
  const text = writeText(agent, findList(crew, group, wishes));
  const isTool = crew.settings.emit === "tool" && agent.function === undefined;
  const isFree = crew.settings.signalScope === "anywhere" || crew.settings.signalScope === "outside_code";
  const between = isFree && group === undefined && agent.output.format !== "json" ? " " : "\n";
  return isTool ? { text, tools: [{ name: "signal", args: { signal } }] } : { text: text + between + signal };
}

export function callTool(name: string, args: object, text = ""): Reply {
  return { ...(text !== "" && { text }), tools: [{ name, args }] };
}

/** What makes a condition hold, as far as words can. */
function satisfy(when: Condition | undefined): string {
  return [when?.contains, when?.matches, when?.signal].filter((each) => each !== undefined).join(" ");
}

interface List {
  readonly path: readonly (string | number)[];
  readonly items: number;
}

function findList(crew: Crew, group: string | undefined, { items = 1 }: ReplyWishes): List | undefined {
  const forEach = group === undefined ? undefined : crew.groups.get(group)?.forEach;
  return forEach && { path: parseItemPath(forEach.items) ?? [], items };
}

function writeText(agent: Agent, list?: List, more = ""): string {
  const words = writeWords(agent.id);
  const check = agent.guards?.output.find((guard) => guard.check.type === "json")?.check;
  const isJson = agent.output.format === "json" || check !== undefined;
  const guarded = check?.type === "json" ? check.schema : undefined;
  if (!isJson && list === undefined) return more === "" ? words : `${words} ${more}`;
  const sample = isJson ? sampleValue(agent.output.schema ?? guarded ?? { type: "object" }, words) : {};
  const value = list === undefined ? sample : putList(sample, list.path, list.items);
  return [JSON.stringify(value), ...(more === "" ? [] : [more])].join("\n");
}

/** Puts a list of items at a path, with a copy of whatever is the first item there. */
function putList(value: unknown, [step, ...rest]: readonly (string | number)[], items: number): unknown {
  if (step === undefined) {
    const [first = { title: "TODO: an item" }] = Array.isArray(value) ? value : [];
    return Array.from({ length: items }, () => first);
  }
  const old = typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined;
  if (typeof step === "number") return [...Array<unknown>(step).fill(null), putList(old, rest, items)];
  return { ...(typeof value === "object" && value !== null ? value : {}), [step]: putList(old, rest, items) };
}

/** A reply that is nothing but text is written as text. */
export function shortenReply(reply: Reply): unknown {
  return Object.keys(reply).join() === "text" ? reply["text"] : reply;
}
