import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { conversationLines } from "../src/cli/show/conversation-lines.ts";
import { treeLines } from "../src/cli/show/tree-lines.ts";
import { buildRunTree } from "../src/views/run-tree.ts";
import { buildTranscript } from "../src/views/transcript.ts";
import { eventsOf } from "./events-of.ts";
import { agentFiles, loadWrittenCrew } from "./load-written-crew.ts";
import { play } from "./play.ts";

/** What `baton show --transcript` says of a run of a crew on replies. */
async function transcript(agents: Readonly<Record<string, string>>, replies: string): Promise<string[]> {
  const { crew } = loadWrittenCrew({
    "crew.yaml": `version: "2.0"\nname: panel\nagents: [${Object.keys(agents).join(", ")}]\nsettings: { on_no_signal: stop }\n`,
    ...agentFiles(agents),
  });
  const events = await play(crew, "Begin", { script: new Map(Object.entries(parse(replies))) });
  return conversationLines(buildTranscript(events), (_, text) => text, 200).map((line) =>
    line.replace(/ {2}0\.0s$/, ""),
  );
}

const call = (text: string, tool: string, args: string) =>
  `{ text: "${text}", tools: [{ name: ${tool}, args: ${args} }] }`;

describe("what an agent says beside a call that ends its session", () => {
  it("is told once where a router chooses", async () => {
    const agents = { desk: "description: d\nrouter: { destinations: [billing] }", billing: "description: money" };
    const replies = `desk: [${call("For billing.", "handoff-to", "{ agent: billing }")}]\nbilling: [Refunded.]`;
    expect((await transcript(agents, replies)).slice(3, 8)).toEqual([
      "desk",
      "│ For billing.",
      `│ › handoff-to {"agent":"billing"}`,
      "│   accepted",
      "│ ──▶ billing  chosen by desk",
    ]);
  });

  it("is told once where work is transferred, and nothing where nothing is said", async () => {
    const agents = {
      desk: "description: d\ncollaborations: [tech]",
      tech: "description: t\ncollaborations: [cox]",
      cox: "description: c",
    };
    const replies = `
desk: [${call("Not mine.", "transfer_to_tech", "{ context: {} }")}]
tech: [${call("", "transfer_to_cox", "{ context: {} }")}]
cox: [Done.]`;
    const lines = await transcript(agents, replies);
    expect(lines.filter((line) => line === "│ Not mine.")).toHaveLength(3);
    const chosen = lines.findIndex((line) => line.startsWith("│ › transfer_to_cox"));
    expect(lines.slice(chosen, chosen + 3)).toEqual([
      `│ › transfer_to_cox {"context":{}}`,
      "│   accepted",
      expect.stringMatching(/^│ ──▶ cox/),
    ]);
  });

  it("is told once where a team speaks, and its task once", async () => {
    const agents = {
      lead: "description: l\nteam: { members: [ann, ben], supervisor: lead }",
      ann: "description: a",
      ben: "description: b",
    };
    const replies = `
ann: [${call("High.", "team__broadcast", "{ message: High. }")}, Still high.]
ben: [${call("Thinking.", "team__broadcast", "{ message: Low. }")}, Still low.]
lead: [${call("Go on.", "team__broadcast", "{ message: Go on. }")}, ${call("Done.", "final_report", "{ content: Done. }")}]`;
    expect((await transcript(agents, replies)).join("\n")).toContain(
      `
lead
│ cycle 1
│ │ ann
│ │ │ High.
│ │ ben
│ │ │ Thinking.
│ │ │ Low.
│ Go on.
│ cycle 2
│ │ ann
│ │ │ Still high.
│ │ ben
│ │ │ Still low.
│ Done.

✓ completed`,
    );
  });

  it("is told twice where it is said in two turns", async () => {
    const agents = { desk: "description: d\nagents: [cox]", cox: "description: c" };
    const replies = `desk: [${call("Hm.", "agent__cox", "{ prompt: what? }")}, Hm.]\ncox: [That.]`;
    const lines = await transcript(agents, replies);
    expect(lines.filter((line) => line === "│ Hm.")).toHaveLength(2);
  });
});

describe("crews within crews", () => {
  const plain = (_: unknown, text: string) => text;

  it("give an agent its own name in a tree, the crews being above it", async () => {
    const lines = treeLines(buildRunTree(await eventsOf("multi-crew/two-deep")), plain, 80);
    expect(lines.slice(1).map((line) => line.slice(0, 15).trimEnd())).toEqual([
      "master",
      "├─ lead",
      "├─ mid",
      "│  ├─ boss",
      "│  ├─ lab",
      "│  │  ╰─ meter",
      "│  ╰─ boss",
      "╰─ lead",
    ]);
  });

  it("do not have their time up where another try is waited for", async () => {
    const entries = buildTranscript(await eventsOf("multi-crew/retry"));
    const notes = conversationLines(entries, plain, 80).filter((line) => line.startsWith("!"));
    expect(notes).toEqual(["! lab is called again", "! lab is called again"]);
  });
});
