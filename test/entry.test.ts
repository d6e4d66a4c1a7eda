import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { show } from "../src/cli/show-command.ts";
import { type CrewDefinition, defineCrew, loadCrew, type Model, openMemoryStore } from "../src/index.ts";
import { buildScript } from "../src/prepare/build-script.ts";
import { formatLogLines } from "../src/views/log-lines.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { eventsOf } from "./events-of.ts";
import { keepRuns, printed } from "./kept-runs.ts";
import { agentFiles, loadWrittenCrew } from "./load-written-crew.ts";
import { play } from "./play.ts";
import { runBaton } from "./run-baton.ts";
import { watch } from "./watch-panel.ts";
import { writeCrew } from "./write-crew.ts";

const agents = { general: "", billing: "description: refunds and invoices", dns: "description: nameservers, zones" };
const crewYaml = (settings = "") =>
  `version: "2.0"\nname: desk\nentry_point: auto\nagents: [general, billing, dns]\nsettings: { on_no_signal: stop${settings} }\n`;
const script = new Map(Object.keys(agents).map((id) => [id, [`from ${id}`]]));

function classificationIn(events: readonly BatonEvent[]) {
  return events.find((event) => event.type === "classification")?.data;
}

describe("a choice that was made", () => {
  it("stands when the run goes on, though the agents say something else of themselves by then", async () => {
    const { crew } = loadWrittenCrew({ "crew.yaml": crewYaml(), ...agentFiles(agents) });
    const events = await play(crew, "refund", { script });
    expect(classificationIn(events)?.agent).toBe("billing");
    const swapped: Crew = {
      ...crew,
      agents: new Map([...crew.agents].map(([id, agent]) => [id, { ...agent, description: "zones" }])),
    };
    const recorded = events.slice(0, 2);
    const again = await play(swapped, "refund", { script, recorded });
    expect(buildResult(again).path).toEqual(["billing"]);
  });

  it("is made anew in a run that is forked before it", async () => {
    const model: Model = {
      name: "m/m",
      call: ({ agent }) => ({ text: `from ${agent}`, toolCalls: [], finish: "stop" }),
    };
    const definition: CrewDefinition = {
      name: "desk",
      models: ["m/m"],
      entryPoint: "auto",
      agents: [
        { id: "billing", prompt: "Help.", description: "refunds" },
        { id: "dns", prompt: "Help.", description: "zones" },
      ],
      settings: { on_no_signal: "stop" },
    };
    const store = openMemoryStore();
    const crew = defineCrew(definition, { store, models: { "m/m": model } });
    const first = await crew.run("refunds");
    const second = await crew.fork(first.runId, { at: 0, input: "zones" }).result;
    expect([first.path, second.path]).toEqual([["billing"], ["dns"]]);
    await expect(crew.replay(first.runId)).resolves.toEqual({ events: 7 });
  });
});

it("a folder of agent files is run from code, and its result is like any other's", async () => {
  const folder = writeCrew(agentFiles(agents));
  const crew = await loadCrew(`${folder}/agents`, { script: buildScript(script) });
  const result = await crew.run("a zone");
  expect(result).toMatchObject({ status: "completed", output: "from dns", path: ["dns"], handoffs: 0, rounds: 1 });
});

it("with sub-crews added in code, whoever is chosen may delegate to them", async () => {
  const { crew } = loadWrittenCrew({ "crew.yaml": crewYaml(), ...agentFiles(agents) });
  const { withSubCrew } = await import("../src/library/with-sub-crew.ts");
  const added = withSubCrew(crew, "experts", crew);
  expect([...added.agents.values()].map(({ delegate }) => delegate)).toEqual([["experts"], ["experts"], ["experts"]]);
});

it("a long input is no burden, whatever it is made of", async () => {
  const { crew } = loadWrittenCrew({ "crew.yaml": crewYaml(), ...agentFiles(agents) });
  for (const text of [
    "a".repeat(1e6),
    "ắ".repeat(1e6),
    "👍".repeat(1e6),
    "refund zone ".repeat(1e5),
    "\u0301".repeat(1e6),
  ]) {
    expect(buildResult(await play(crew, text, { script })).status).toBe("completed");
  }
});

describe("what is told of a choice", () => {
  it("is a line of --verbose", () => {
    const cwd = writeCrew({ "crew.yaml": crewYaml(), ...agentFiles(agents), "s.yaml": "dns: [a]\ngeneral: [b]" });
    const said = (input: string) =>
      runBaton(["run", ".", input, "--script", "s.yaml", "--verbose"], { cwd }).stderr.split("\n")[0];
    expect(said("a zone")).toMatch(/^\[CLASSIFICATION\] dns begins \(confidence 0\.\d+\)$/);
    expect(said("nonsense")).toBe("[CLASSIFICATION] general begins (low confidence: no agent fits the input)");
  });

  it("is a line on stderr where no agent fits, and `baton check` says beforehand who takes it", () => {
    const cwd = writeCrew({ "crew.yaml": crewYaml(), ...agentFiles(agents), "s.yaml": "dns: [a]\ngeneral: [b]" });
    const run = (input: string) => runBaton(["run", ".", input, "--script", "s.yaml"], { cwd });
    expect(run("nonsense")).toMatchObject({
      stdout: "b\n",
      stderr: "low confidence: no agent fits the input; 'general', the first agent, begins\n",
    });
    expect(run("a zone")).toMatchObject({ stdout: "a\n", stderr: "" });
    expect(runBaton(["check", "."], { cwd }).stdout).toContain(
      "the agent that fits an input begins; 'general', the first agent, where the confidence is below 0.4",
    );
    const entries = (path: string) => JSON.parse(runBaton(["check", path, "--json"], { cwd }).stdout).entries;
    expect(entries(".")).toEqual([
      { agents: expect.arrayContaining(["dns"]), fallback: "general", minConfidence: 0.4 },
    ]);
    expect(runBaton(["check", "agents/dns.md"], { cwd }).stdout).not.toContain("first agent");
    expect(entries("agents/dns.md")).toEqual([]);
    writeFileSync(join(cwd, "crew.yaml"), crewYaml(", min_confidence: 0"));
    expect(run("nonsense")).toMatchObject({ stdout: "b\n", stderr: "" });
    expect(runBaton(["check", "."], { cwd }).stdout).toContain("'general', the first agent, where no agent fits");
  });

  it("names the crew where that is not the run's own", async () => {
    const events = await eventsOf("entry/sub-crew");
    const { crew } = loadWrittenCrew({ "crew.yaml": crewYaml(), ...agentFiles(agents) });
    const lines = events.flatMap((event) => formatLogLines(event, crew));
    expect(lines.find((line) => line.startsWith("[CLASSIFICATION]"))).toMatch(
      /^\[CLASSIFICATION\] experts\/dns begins/,
    );
  });

  it("stands on the screen before whoever begins", async () => {
    const { screen } = await watch(
      "entry_point: auto\nsettings: { on_no_signal: stop }",
      { a: "", b: "domain: begin" },
      "b: [Yes.]",
      {},
    );
    expect(screen).toMatch(/^panel {2}Begin\n\n╶──▶ b {2}confidence 0\.\d+, begin\n\n╭ b /);
  });

  it("follows the classifier on the screen, and says what became of it", async () => {
    const crew = "entry_point: auto\nsettings: { on_no_signal: stop, classifier: t }";
    const { screen, summary } = await watch(crew, { a: "", b: "", t: "" }, "t: [hm, b]\nb: [Yes.]", {});
    expect(screen).toBe(
      `
panel  Begin

╭ t  ✓ 0.0s
│ hm
╰──↺ t  asked again

╭ t  ✓ 0.0s
│ b
╰──▶ b  confidence 1

╭ b  ✓ 0.0s
│ Yes.
╰──■ end
`.trimStart(),
    );
    expect(summary).toContain("path      b\n");
  });

  it("is in what is shown of runs that are kept", async () => {
    const id = "run_0123456789abcdef0123";
    const store = await keepRuns({ [id]: await eventsOf("entry/classifier-is-unsure") });
    const shown = async (options: Parameters<typeof show>[1]) =>
      (await printed((terminal) => show(id, options, terminal, store), 120)).output;
    const why = "low confidence: 'dns' fits best, with a confidence of 0.3 where 0.4 is asked for";
    expect(await shown({ events: true })).toContain(`general (${why}`.slice(0, 40));
    expect(await shown({ transcript: true })).toContain(`──▶ general  ${why}`);
    expect(await shown({ tree: true })).toMatch(/triage/);
  });
});
