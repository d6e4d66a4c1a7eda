import { describe, expect, it } from "vitest";
import { importSources } from "../src/import/import-sources.ts";
import { writeCrew } from "./write-crew.ts";

const client = {
  provider: "autogen_ext.models.openai.OpenAIChatCompletionClient",
  config: { model: "gpt-4o", api_key: "sk-aaaaaaaaaaaaaaaaaaaaaaaa" },
};

const assistant = (name: string, more: object = {}) => ({
  provider: "autogen_agentchat.agents.AssistantAgent",
  component_type: "agent",
  config: { name, description: `does ${name}`, system_message: `You do ${name}.`, model_client: client, ...more },
});

const person = { provider: "autogen_agentchat.agents.UserProxyAgent", config: { name: "user" } };

function team(kind: string, participants: readonly object[], more: object = {}) {
  return { provider: `autogen_agentchat.teams.${kind}`, component_type: "team", config: { participants, ...more } };
}

function importComponent(component: object) {
  const { crews, problems } = importSources("team.json", {
    workingDirectory: writeCrew({ "team.json": JSON.stringify(component, undefined, 2) }),
  });
  expect(problems).toEqual([]);
  const [crew] = crews;
  if (crew === undefined) throw new Error("nothing was imported");
  expect(crew.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(crew.files.some(({ text }) => text.includes("sk-aaaa"))).toBe(false);
  return { ...crew, textOf: (path: string) => crew.files.find((file) => file.path === path)?.text ?? "" };
}

describe("a component of AutoGen", () => {
  it("that is a round goes round until a word or a number of messages ends it", () => {
    const crew = importComponent(
      team("RoundRobinGroupChat", [assistant("writing"), assistant("review")], {
        termination_condition: {
          provider: "autogen_agentchat.base.OrTerminationCondition",
          config: {
            conditions: [
              { provider: "autogen_agentchat.conditions.TextMentionTermination", config: { text: "APPROVE" } },
              { provider: "autogen_agentchat.conditions.MaxMessageTermination", config: { max_messages: 9 } },
            ],
          },
        },
      }),
    );
    const file = crew.textOf("crew.yaml");
    expect(file).toContain("defaults:\n    writing: review\n    review: writing\n");
    expect(file).toContain('- signal: "[APPROVE]"\n        target: ""\n');
    expect(file).toContain("max_rounds: 9\n");
    expect(crew.textOf("agents/writing.md")).toContain("models:\n  - openai/gpt-4o\n");
    expect(crew.textOf("agents/writing.md")).toContain("end your answer with [APPROVE], in brackets.");
  });

  it("with a person pauses behind the last agent", () => {
    const crew = importComponent(team("RoundRobinGroupChat", [assistant("writing"), person]));
    expect(crew.textOf("crew.yaml")).toContain("agent_behaviors:\n    writing:\n      wait_for_signal: true\n");
  });

  it("that is a swarm transfers", () => {
    const crew = importComponent(
      team("Swarm", [
        assistant("desk", { handoffs: [{ target: "repair", description: "broken things" }, "user"] }),
        assistant("repair"),
        person,
      ]),
    );
    expect(crew.textOf("agents/desk.md")).toContain(
      "collaborations:\n  - agent: repair\n    specialty: broken things\n",
    );
    expect(crew.report.decisions.map(({ what }) => what)).toContain(
      "'user', to whom 'desk' hands off, is not an agent here",
    );
  });

  it("that selects who speaks has an agent that calls the others", () => {
    const crew = importComponent(team("SelectorGroupChat", [assistant("a"), assistant("b")], { model_client: client }));
    expect(crew.textOf("crew.yaml")).toContain("entry_point: selector\n");
    expect(crew.textOf("agents/selector.md")).toContain("agents:\n  - a\n  - b\n");
  });

  it("keeps tools as stubs, whatever their code says", () => {
    const tool = {
      provider: "autogen_core.tools.FunctionTool",
      config: { name: "add", description: "adds", source_code: "import os\nos.system('true')" },
    };
    const crew = importComponent(assistant("maths", { tools: [tool] }));
    expect(crew.textOf("tools.ts")).toContain('description: "adds"');
    expect(crew.files.some(({ text }) => text.includes("os.system"))).toBe(false);
  });
});

describe("a file of LangGraph", () => {
  it("is refused, since Python code builds its graphs", () => {
    const folder = writeCrew({ "langgraph.json": '{"dependencies": ["."], "graphs": {"agent": "./agent.py:graph"}}' });
    const { crews, problems } = importSources("langgraph.json", { workingDirectory: folder });
    expect(crews).toEqual([]);
    expect(problems).toMatchObject([{ code: "foreign-file", message: expect.stringContaining("Python code builds") }]);
  });
});
