import { describe, expect, it } from "vitest";
import { agentFiles, loadWrittenCrew } from "../../test/load-written-crew.ts";
import { listSignalUses } from "./list-signal-uses.ts";

const { crew } = loadWrittenCrew({
  "crew.yaml": `version: "2.0"
name: test
agents: [a, b]
sub_crews: {lab: {config_path: ./lab}}
routing:
  signals:
    a:
      - {signal: "[GO]", target: b}
      - {signal: "[ASK]", target: g}
      - {signal: "[CALL]", target_crew: lab, return_to: b}
      - {signal: "[TELL]", type: broadcast, targets: [a, b]}
      - {signal: "[HOOK]", type: external}
      - {signal: "[HOLD]", type: external, pause: true}
      - {signal: "[SAY]", type: status}
    b:
      - {signal: "[GO]", target: a}
      - {signal: "[DONE]"}
      - {signal: "[WAIT]"}
  parallel_groups: {g: {agents: [b], next_agent: b}}
`,
  ...agentFiles({ a: "", b: "" }),
  "lab/crew.yaml": 'version: "2.0"\nname: lab\nagents: [x]\n',
  "lab/agents/x.md": "Work.",
});

describe("the uses of signals", () => {
  const uses = listSignalUses(crew);

  it("name every agent that emits a signal, in order", () => {
    expect(uses.get("[GO]")).toEqual([
      { agent: "a", to: "b" },
      { agent: "b", to: "a" },
    ]);
  });

  it.each([
    ["[ASK]", "group g"],
    ["[CALL]", "crew lab, then b"],
    ["[TELL]", "told to a, b"],
    ["[HOOK]", "an external handler"],
    ["[HOLD]", "an external handler, waiting for its answer"],
    ["[SAY]", "the journal"],
    ["[DONE]", "the end of the run"],
    ["[WAIT]", "a pause"],
  ])("say where %s leads: %s", (signal, to) => expect(uses.get(signal)?.map((use) => use.to)).toEqual([to]));

  it("leave out what is never bound", () => {
    expect(crew.signals.map(({ name }) => name)).toContain("[ERROR]");
    expect(uses.has("[ERROR]")).toBe(false);
  });
});
