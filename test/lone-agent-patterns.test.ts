import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCrew } from "../src/library/load-crew.ts";
import { readScript } from "../src/prepare/read-script.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const agent = (keys: string) => `---\ndescription: works\n${keys}\n---\nWork.\n`;

/** Agents in files of their own, without a crew.yaml; each of the first ones brings what it refers to. */
const files = {
  "handoff.md": agent("handoff: editor.md"),
  "router.md": agent("router: { destinations: [editor.md] }"),
  "advised.md": agent("advisors: [editor.md]"),
  "lead.md": agent("team: { members: [editor.md, writer.md], supervisor: lead }"),
  "face.md": agent("team: { members: [writer.md], supervisor: editor.md }"),
  "boss.md": agent("agents: [helper.md]"),
  "editor.md": agent(""),
  "writer.md": agent(""),
  "helper.md": agent("chat: true"),
  "replies.yaml": `
handoff: [half done]
router: [{ text: half done, tools: [{ name: handoff-to, args: { agent: editor } }] }]
face: [half done]
boss:
  - { text: half done, tools: [{ name: agent__helper, args: { prompt: look } }] }
  - { text: half done, tools: [{ name: agent__ask_clarification, args: { child: helper-1, question: "Sure?" } }] }
  - The end.
advised: [The end.]
lead: [The end.]
editor: [{ text: The end. }]
writer: [half done]
helper: [half done, half done]
`,
};

const ways = [
  ["handoff", ["handoff", "editor"]],
  ["router", ["router", "editor"]],
  ["advised", ["advised"]],
  ["lead", ["lead"]],
  ["face", ["face", "editor"]],
  ["boss", ["boss"]],
] as const;

describe.each(ways)("a lone agent file with a pattern: %s.md", (name, path) => {
  it("gives the last agent's answer in a pipe and nothing else", () => {
    const cwd = writeCrew(files);
    const run = ["run", `${name}.md`, "go", "--script", "replies.yaml"];
    expect(runBaton(run, { cwd })).toMatchObject({ exitCode: 0, stdout: "The end.\n", stderr: "" });
    const { stdout } = runBaton([...run, "--events"], { cwd });
    const events: BatonEvent[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({
      type: "run.completed",
      data: { output: "The end.", finalAgent: path.at(-1) },
    });
  });

  it("gives it in code, run or streamed, where every word says whose it is", async () => {
    const folder = writeCrew(files);
    const script = readScript(join(folder, "replies.yaml"));
    const crew = await loadCrew(join(folder, `${name}.md`), { script, env: {} });
    expect(await crew.run("go")).toMatchObject({ output: "The end.", path, finalAgent: path.at(-1) });
    let told = "";
    let last: BatonEvent | undefined;
    for await (const event of crew.stream("go")) {
      last = event;
      if (event.type === "text.delta") expect(event.agent).toBeDefined();
      // Inside of calls, too, words are told where they are said.
      if (event.type === "text.delta" && event.agent === path.at(-1) && event.path === `${path.length - 1}`)
        told += event.data.text;
    }
    expect(last).toMatchObject({ type: "run.completed", data: { output: "The end." } });
    expect(told).toContain("The end.");
  });
});
