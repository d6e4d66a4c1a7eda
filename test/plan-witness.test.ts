import { describe, expect, it } from "vitest";
import { planOf } from "../src/flow/plan/plan-of.ts";
import { agentFiles, loadWrittenCrew } from "./load-written-crew.ts";
import { followWorst } from "./plan-witness.ts";

const small = "max_turns: 2\nmax_retries: 1\nmax_tool_calls_per_turn: 2";

interface Case {
  readonly agents: Readonly<Record<string, string>>;
  readonly keys?: string;
  readonly entry?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A sub-crew of two agents. */
function lab(name: string): Record<string, string> {
  const agent = `---\n${small}\n---\nWork.\n`;
  return {
    [`${name}/crew.yaml`]: `version: "2.0"\nname: ${name}\nagents: [x, y]\n`,
    [`${name}/agents/x.md`]: agent,
    [`${name}/agents/y.md`]: agent,
  };
}

/** Crews along whose worst path every figure is really reached. */
const cases: Readonly<Record<string, Case>> = {
  "one agent": { agents: { a: "" } },
  "an agent with tools": { agents: { a: "tools: [look]" } },
  "a list of agents": { agents: { a: "", b: "", c: "" } },
  "a loop that a signal keeps going": {
    agents: { a: "", b: "" },
    keys: 'routing: {signals: {a: [{signal: "[GO]", target: b}], b: [{signal: "[BACK]", target: a}]}}\nsettings: {max_handoffs: 7}',
  },
  "a loop that max_rounds ends": {
    agents: { a: "", b: "" },
    keys: 'routing: {signals: {a: [{signal: "[GO]", target: b}], b: [{signal: "[BACK]", target: a}]}}\nsettings: {max_handoffs: 9, max_rounds: 4}',
  },
  "an agent that asks for retries": {
    agents: { a: "", b: "" },
    keys: 'routing: {signals: {a: [{signal: "[RETRY]"}, {signal: "[GO]", target: b}]}}',
  },
  "a pause that a human answers again and again": {
    agents: { a: "", b: "" },
    keys: 'routing: {signals: {a: [{signal: "[WAIT]"}, {signal: "[GO]", target: b}]}}\nsettings: {max_rounds: 5}',
  },
  "a gate that a human keeps shut": {
    agents: { a: "", b: "" },
    keys: 'routing: {signals: {a: [{signal: "[GO]", target: b}]}, agent_behaviors: {a: {auto_route: false}}}\nsettings: {max_rounds: 4, max_handoffs: 0}',
  },
  "a group of which all are waited for": {
    agents: { a: "", b: "", c: "" },
    keys: 'routing: {signals: {a: [{signal: "[GO]", target: g}]}, parallel_groups: {g: {agents: [b, c], wait_for_all: true, next_agent: a}}}\nsettings: {max_handoffs: 4}',
  },
  "a group that works on a list": {
    agents: { a: "", b: "" },
    keys: 'routing: {signals: {a: [{signal: "[GO]", target: g}]}, parallel_groups: {g: {for_each: b, items: $, max_items: 3, wait_for_all: true}}}',
  },
  "a group of which the first success counts": {
    agents: { a: "", b: "", c: "" },
    keys: 'routing: {signals: {a: [{signal: "[GO]", target: g}]}, parallel_groups: {g: {agents: [b, c], next_agent: a}}}\nsettings: {max_handoffs: 2}',
  },
  "an entry that a classifier chooses": {
    agents: { a: "is_terminal: true", b: "is_terminal: true", t: "" },
    keys: "settings: {classifier: t}",
    entry: "auto",
  },
  "an agent that composes crews": { agents: { a: "compose: true", b: "description: works" } },
  "an agent that delegates to a crew": {
    agents: { a: "delegate: [lab]" },
    keys: "sub_crews: {lab: {config_path: ./lab}}",
    files: lab("lab"),
  },
  "crews that fail, are tried again and replaced": {
    agents: { a: "", b: "" },
    keys: 'sub_crews: {failing: {config_path: ./failing}, spare: {config_path: ./spare}}\nrouting: {signals: {a: [{signal: "[CALL]", target_crew: failing, return_to: b, on_error: [retry, fallback, continue], max_retries: 2, fallback_crew: spare}]}}\nsettings: {retry_backoff_min_millis: 1}',
    files: { ...lab("failing"), ...lab("spare") },
  },
  "an agent with advisors": { agents: { a: "advisors: [b, c]", b: "", c: "" } },
  "an agent with a sub-agent": { agents: { a: "agents: [b]", b: "description: helps\ntools: [look]" } },
  "sub-agents of sub-agents that can be asked again": {
    agents: { a: "agents: [b]", b: "description: helps\nagents: [c]\nchat: true", c: "description: digs\nchat: true" },
  },
  "a chain of handoffs": { agents: { a: "handoff: b", b: "handoff: c", c: "" } },
  "a router whose own handoff comes last": {
    agents: { a: "router: {destinations: [b]}\nhandoff: c", b: "description: works", c: "" },
  },
  "transfers back and forth": {
    agents: { a: "collaborations: [b]", b: "description: works\ncollaborations: [a]" },
    keys: "settings: {max_handoffs: 5, on_no_signal: stop}",
  },
  "a handoff that is told of a failure": {
    agents: { a: "handoff: {to: b, on_failure: continue}", b: "" },
  },
  "a team": {
    agents: {
      a: "team: {members: [b, c], supervisor: a, memberMaxTurns: 3}",
      b: "description: works",
      c: "description: works",
    },
  },
  "a team that a face introduces": {
    agents: { f: "team: {members: [b], supervisor: a}", a: "", b: "description: works" },
  },
  "a crew that calls another": {
    agents: { a: "", b: "" },
    keys: 'sub_crews: {lab: {config_path: ./lab}}\nrouting: {signals: {a: [{signal: "[CALL]", target_crew: lab, return_to: b}]}}',
    files: lab("lab"),
  },
};

describe("the worst path of a plan", () => {
  it.each(Object.entries(cases))("of %s is really walked, to the call", { timeout: 30_000 }, async (_, made) => {
    const agents = Object.fromEntries(Object.entries(made.agents).map(([id, keys]) => [id, `${small}\n${keys}`]));
    const { crew } = loadWrittenCrew(
      {
        "crew.yaml": `version: "2.0"\nname: test\nagents: [${Object.keys(agents).join(", ")}]\nentry_point: ${made.entry ?? Object.keys(agents)[0]}\n${made.keys ?? ""}\n`,
        ...agentFiles(agents),
        ...made.files,
      },
      ".",
      { tools: ["look"] },
    );
    const { worst } = planOf(crew, { input: "Begin", suggests: false });
    for (const figure of ["handoffs", "rounds", "modelCalls", "toolCalls"] as const) {
      const followed = await followWorst(crew, figure);
      expect({ [figure]: followed[figure] }).toEqual({ [figure]: worst[figure] });
    }
  });
});
