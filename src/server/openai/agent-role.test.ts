import { describe, expect, it } from "vitest";
import { type AgentDefinition, type CrewDefinition, defineCrew } from "../../index.ts";
import { createRoles } from "./agent-role.ts";

/** The role of the first agent of a crew. */
function roleOf(keys: Partial<AgentDefinition>, crew: Partial<CrewDefinition> = {}): string {
  const { definition } = defineCrew({
    name: "desk",
    models: ["m/m"],
    agents: [
      { id: "first", prompt: "Speak. [DONE] [NEXT] [ASK]", ...keys },
      { id: "second", description: "Speaks", prompt: "Speak." },
    ],
    settings: { on_no_signal: "stop" },
    ...crew,
  } as CrewDefinition);
  return createRoles(definition)("first");
}

const bound = (...signals: readonly object[]) =>
  ({ routing: { signals: { first: signals } } }) as Partial<CrewDefinition>;

describe("the words of an agent", () => {
  it("are the answer for certain where nothing but the end may follow", () => {
    expect(roleOf({})).toBe("answers");
    expect(roleOf({}, bound({ signal: "[DONE]", target: "" }))).toBe("answers");
  });

  it.each<[string, Partial<AgentDefinition>, Partial<CrewDefinition>]>([
    ["another agent may follow", {}, bound({ signal: "[NEXT]", target: "second" })],
    ["it may ask", {}, bound({ signal: "[ASK]", type: "pause" })],
    ["it has a team", { team: { members: ["second"], supervisor: "first" } } as Partial<AgentDefinition>, {}],
    ["it may call another agent", { agents: ["second"] } as Partial<AgentDefinition>, {}],
    ["its output is guarded", { guards: { output: [{ max_chars: 9 }] } } as Partial<AgentDefinition>, {}],
    ["the crew's output is guarded", {}, { guards: { output: [{ max_chars: 9 }] } } as Partial<CrewDefinition>],
  ])("are not certain to be the answer where %s", (_, keys, crew) => {
    expect(roleOf(keys, crew)).toBe("may answer");
  });

  it("are never the answer where another agent follows in any case", () => {
    expect(roleOf({ handoff: "second" } as Partial<AgentDefinition>)).toBe("passes on");
    expect(roleOf({}, { settings: { on_no_signal: "next" } })).toBe("passes on");
  });
});
