import {
  type AgentDefinition,
  type CrewHandle,
  defineAgent,
  defineCrew,
  type Model,
  type ModelReply,
} from "../src/index.ts";

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 15 };

/** A reply that a model gives at once. */
function replyOf(text: string, toolCalls: ModelReply["toolCalls"] = []): ModelReply {
  return { text, toolCalls, usage, finish: toolCalls.length === 0 ? "stop" : "tool-calls" };
}

function crewOf(agents: readonly AgentDefinition[], model: Model): CrewHandle {
  return defineCrew(
    {
      name: "patterns",
      models: ["fake/instant"],
      entry_point: agents[0]?.id,
      agents: agents.map((agent) => defineAgent({ description: agent.id, prompt: "Do your part.", ...agent })),
      settings: { max_handoffs: agents.length, on_no_signal: "stop" },
    },
    { models: { "fake/instant": model }, env: {} },
  );
}

function idsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}_${index}`);
}

/** A model that gives the same answer to everybody, and streams it in one piece. */
export const answering: Model = {
  name: "fake/instant",
  call: async ({ onText }) => {
    onText("Here you are.");
    return replyOf("Here you are.");
  },
};

/** Agents in a row, each of which declares the next. */
export function handoffCrew(participants: number): CrewHandle {
  const ids = idsOf("agent", participants);
  return crewOf(
    ids.map((id, index) => ({ id, ...(index < participants - 1 && { handoff: ids[index + 1] }) })),
    answering,
  );
}

/** One agent and those that advise it. */
export function advisedCrew(participants: number): CrewHandle {
  const advisors = idsOf("advisor", participants - 1);
  return crewOf([{ id: "agent", advisors }, ...advisors.map((id) => ({ id }))], answering);
}

/** A team in which everybody says something in every cycle; the supervisor answers after the last. */
export function teamCrew(members: number, cycles: number): CrewHandle {
  const ids = idsOf("member", members);
  const saying = [{ name: "team__broadcast", args: { message: "Here is what I think." } }];
  const model: Model = {
    name: "fake/instant",
    call: async ({ agent, calls }) =>
      agent === "lead" && calls >= cycles ? replyOf("So be it.") : replyOf("", saying),
  };
  const team = { members: ids, supervisor: "lead", member_max_turns: cycles + 1, supervisor_max_turns: cycles + 1 };
  return crewOf([{ id: "lead", team }, ...ids.map((id) => ({ id }))], model);
}

/** An agent that calls another so many times at once, each of which stays alive, and is then held until it is let go. */
export function childrenCrew(children: number, hold: () => Promise<void>): CrewHandle {
  const calls = Array.from({ length: children }, (_, index) => ({
    name: "agent__child",
    args: { prompt: `Look into part ${index}.` },
  }));
  const model: Model = {
    name: "fake/instant",
    call: async ({ agent, calls: turn }) => {
      if (agent === "child") return replyOf("There is nothing to see in this part.");
      if (turn === 1) return replyOf("", calls);
      await hold();
      return replyOf("Nothing anywhere.");
    },
  };
  return crewOf(
    [
      { id: "parent", agents: ["child"], max_tool_calls_per_turn: children },
      { id: "child", chat: true },
    ],
    model,
  );
}
