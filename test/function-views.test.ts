import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { show } from "../src/cli/show-command.ts";
import {
  type BatonEvent,
  buildAccounts,
  buildGraph,
  diagnose,
  drawAscii,
  drawMermaid,
  loadCrew,
} from "../src/index.ts";
import { readScript } from "../src/prepare/read-script.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import { formatLogLines } from "../src/views/log-lines.ts";
import { keepRuns, printed } from "./kept-runs.ts";
import { runBaton } from "./run-baton.ts";
import { treeOf } from "./span-tree.ts";
import { registerTracer } from "./traced-runs.ts";
import { watchRun } from "./watch-run.ts";
import { writeCrew } from "./write-crew.ts";

const newsroom = fileURLToPath(new URL("../examples/newsroom", import.meta.url));
const script = join(newsroom, "demo.script.yaml");
const reports = readFileSync(join(newsroom, "reports.txt"), "utf8");

async function runNewsroom() {
  const clock = createVirtualClock();
  const crew = await loadCrew(newsroom, { clock, script: readScript(script), env: {} });
  const events: BatonEvent[] = [];
  const onEvent = (event: BatonEvent) => void (event.seq !== undefined && events.push(event));
  const result = await crew.run(reports, { onEvent });
  return { crew, events, result, clock };
}

describe("functions and a group for each item", () => {
  it("are drawn as what they are", async () => {
    const graph = buildGraph((await loadCrew(newsroom)).definition);
    const text = drawAscii(graph);
    expect(text).toContain("▶ ƒ wire  cleans up what the agencies send\n");
    expect(text).toContain("    for each of $.stories ╌╌○ reporter\n");
    expect(text).toContain("ƒ a function, no model");
    expect(drawMermaid(graph)).toContain("<b>press</b><br/>ƒ function<br/>■ ends: [OUT], no signal");
  });

  it("are counted by baton check", () => {
    expect(runBaton(["check", newsroom]).stdout).toBe(
      "✓ newsroom: 3 agents, 2 functions, 1 group, 6 bindings; no problems\n",
    );
  });

  it("stand in the tree of a run, and in its accounts only where something was paid", async () => {
    const { events, clock } = await runNewsroom();
    const store = await keepRuns({ run_9f3a77c11b2c3d4e5f60: events });
    const { output } = await printed((terminal) => show("last", { tree: true }, terminal, store, clock.now()), 79);
    expect(output).toMatch(/├─ wire +function +✓ +0\.0s/);
    expect(output.match(/│ {2}[├╰]─ reporter /g)).toHaveLength(3);
    expect(JSON.stringify(buildAccounts(events))).toMatch(/"chief"(?!.*"wire")/);
  });

  it("stand in the transcript of a run", async () => {
    const { events, clock } = await runNewsroom();
    const store = await keepRuns({ run_9f3a77c11b2c3d4e5f60: events });
    const { output } = await printed(
      (terminal) => show("last", { transcript: true }, terminal, store, clock.now()),
      99,
    );
    expect(output).toContain("│ The page has 64 words, and 60 fit. Give it again, shorter.");
    expect(output).toContain('│ │ › Write the story "Stork is back" from these facts:');
  });

  it("are spans: a function as a tool that runs for its agent, an item as a session", async () => {
    await using tracer = await registerTracer();
    await runNewsroom();
    expect(treeOf(await tracer.sent())).toEqual([
      "invoke_workflow newsroom",
      "  invoke_agent wire",
      "    execute_tool wire",
      "  invoke_agent chief",
      "    chat claude-sonnet-4-5",
      ...["reporter", "reporter", "reporter"].flatMap((name) => [
        `  invoke_agent ${name}`,
        "    chat claude-sonnet-4-5",
      ]),
      "  invoke_agent editor",
      "    chat claude-sonnet-4-5",
      "  invoke_agent press",
      "    execute_tool press",
      "  invoke_agent editor",
      "    chat claude-sonnet-4-5",
      "  invoke_agent press",
      "    execute_tool press",
    ]);
  });

  it("show at a terminal who is at work", async () => {
    const path = writeCrew({
      "crew.yaml": 'version: "2.0"\nname: glue\nagents: [step]\n',
      "agents/step.md": "---\nrun: ./gone.mjs\n---\n",
      "agents/gone.mjs": "throw new Error('not imported');",
      "script.yaml": "step: [{ text: done, latency_ms: 2000 }]",
    });
    const isCalled = ({ type }: BatonEvent) => type === "function.called";
    const { peeked, lines } = await watchRun(path, "Go", {
      columns: 79,
      script: join(path, "script.yaml"),
      peekAt: isCalled,
    });
    expect(peeked.flat().join("\n")).toMatch(/step {2}. runs its function · 0s/);
    expect(lines.join("\n")).toMatch(/╭ step {2}✓ 2\.0s\n│ done/);
  });

  it("say in the log why a function failed", async () => {
    const { crew, events } = await runNewsroom();
    const [event] = events.filter(({ type }) => type === "function.called");
    if (event === undefined) throw new Error("no function was called");
    const failed = { ...event, type: "function.failed", data: { code: "tool_failed", message: "no disk" } } as const;
    expect(formatLogLines(failed, crew.definition)).toEqual(["[FUNCTION] wire: its function failed: no disk"]);
  });

  it("are no failure of a run, where a function sends a page back", async () => {
    const { crew, events } = await runNewsroom();
    expect(diagnose(events, crew.definition).findings).toEqual([]);
  });

  it("are no failure of a run, where one worker says the same of several items", async () => {
    const path = writeCrew({
      "crew.yaml": `version: "2.0"
name: checks
agents: [split, check, end]
routing:
  defaults: { split: each }
  parallel_groups: { each: { for_each: check, concurrency: 1, next_agent: end } }
`,
      "agents/split.md": "---\nrun: ./split.mjs\neffect: read\n---\n",
      "agents/split.mjs": "export const split = (input) => input.split(' ');",
      "agents/check.md": "Check.",
      "agents/end.md": "End.",
      "script.yaml": `check: [${'"Hello! I have found nothing wrong in this part.", '.repeat(3)}]\nend: [done]`,
    });
    const crew = await loadCrew(path, { script: readScript(join(path, "script.yaml")), env: {} });
    const events: BatonEvent[] = [];
    await crew.run("a b c", { onEvent: (event) => void (event.seq !== undefined && events.push(event)) });
    expect(diagnose(events, crew.definition).findings).toEqual([]);
  });
});
