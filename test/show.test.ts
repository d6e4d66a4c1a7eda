import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { countCells } from "../src/cli/live/cells.ts";
import { type ShowOptions, show } from "../src/cli/show-command.ts";
import { buildResult } from "../src/views/run-result.ts";
import { buildRunTree, type RunNode } from "../src/views/run-tree.ts";
import { listSpending } from "../src/views/spending.ts";
import { buildTranscript } from "../src/views/transcript.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { eventsOf } from "./events-of.ts";
import { keepRuns, printed } from "./kept-runs.ts";

const id = "run_0123456789abcdef0123";
const everything = later(await eventsOf("views/everything"), 3_600_000);
const views: readonly ShowOptions[] = [{}, { tree: true }, { transcript: true }, { cost: true }, { events: true }];

/** Somebody took their time to answer. */
function later(events: readonly BatonEvent[], waitedMs: number): BatonEvent[] {
  const resumed = events.findIndex(({ type }) => type === "run.resumed");
  return events.map((event, index) => (index < resumed ? event : { ...event, ts: event.ts + waitedMs }));
}

async function shown(options: ShowOptions, columns?: number, events: readonly BatonEvent[] = everything) {
  const store = await keepRuns({ [id]: events });
  return `\n${(await printed((terminal) => show(id, options, terminal, store), columns)).output}`;
}

async function shownJson(options: ShowOptions): Promise<unknown> {
  return JSON.parse(await shown({ ...options, json: true }));
}

/** As JSON has it, of the run that is kept. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll("run_scenario", id));
}

describe("baton show", () => {
  it("gives a run on one screen", async () => {
    expect(await shown({}, 60)).toBe(`
✓ completed: the answer of an agent that ends the run

  run       run_0123456789abcdef0123
  crew      desk
  started   2026-01-01 00:00:00
  ended     2026-01-01 01:00:12
  calls     7, and 1 that failed
  path      clerk → both → boss → done
  handoffs  3
  tokens    9,490, of which 8,900 in and 590 out
  cost      unknown: 1 call without a price
  time      12.5s, and 1h 00m waiting for you

  input
  The \\x1b[31mprinter\\x1b[0m is dead and its bill is unpaid

  output
  Paid.
`);
  });

  it("gives the question of a run that is paused, and how to answer", async () => {
    const paused = everything.findIndex(({ type }) => type === "run.paused");
    const screen = await shown({}, 60, everything.slice(0, paused + 1));
    expect(screen).toMatch(/^\n‖ paused: boss waits for an answer\n/);
    expect(screen.slice(screen.indexOf("┃"))).toBe(`┃ boss waits for your approval
┃
┃ Agent 'boss' wants to hand over to 'done' (signal [PAY]):
┃
┃ Both say so.
┃
┃   approve           let it go on
┃   reject <words>    tell boss why not
┃   redirect <agent>
┃
┃ To answer: baton resume run_0123456789abcdef0123
`);
  });

  it("gives the causes of a failure", async () => {
    const failed = await eventsOf("output/error-of-a-failed-run");
    const cause = { code: "a", message: "the wire is cut", cause: { code: "b", message: "a mouse\u001b[2J" } };
    const events = failed.map((event) =>
      event.type === "run.failed"
        ? { ...event, data: { ...event.data, error: { ...event.data.error, cause } } }
        : event,
    );
    expect(await shown({}, 60, events)).toContain(`
✗ failed: the model of agent 'b' failed: script: the prompt
  is too long
  because: the wire is cut
  because: a mouse\\x1b[2J
`);
  });

  it("says of a run whose process is gone that it is interrupted", async () => {
    expect(await shown({}, 60, everything.slice(0, 9))).toContain(`
■ interrupted: no process works on it any more
  To go on: baton resume ${id}
`);
  });

  it("--tree gives the parts of a run, with what is below each", async () => {
    expect(await shown({ tree: true }, 80)).toBe(`
                                                           time  tokens     cost
desk             run_0123456789abcdef0123              ✓  12.5s   9,490  unknown
├─ clerk                                               ✓   7.7s   4,730  $0.0182
│  ├─ turn 1                                           ✓   4.8s   2,290  $0.0104
│  │  ├─ script                                        ✓   1.4s   1,290  $0.0050
│  │  ├─ lookup  {"q":"the bill\\u001b[2J of last mon…  ✓   0.3s
│  │  ├─ 月      script                                ✓   3.4s   1,000  $0.0054
│  │  ╰─ nosuch  there is no tool 'nosuch'; there ar…  ✗   0.0s
│  ╰─ turn 2                                           ✓   2.9s   2,440  $0.0078
│     ├─ script  slow down                             ✗   0.0s
│     ╰─ script                                        ✓   0.9s   2,440  $0.0078
├─ both                                                ✓   2.4s   1,920  $0.0084
│  ├─ 月         script                                ✓   2.4s   1,000  $0.0054
│  ╰─ done       script                                ✓   0.7s     920  $0.0030
├─ boss          script                                ✓   1.7s   1,920  unknown
╰─ done          script                                ✓   0.7s     920  $0.0030
`);
  });

  it("--tree shows when each went on where there is room, and leaves out what there is none for", async () => {
    expect((await shown({ tree: true }, 140)).split("\n").slice(12, 17)).toEqual([
      "├─ both                                                                  ✓   2.4s   1,920  $0.0084                           ━━━━━━━",
      "│  ├─ 月         script                                                  ✓   2.4s   1,000  $0.0054                           ━━━━━━━",
      "│  ╰─ done       script                                                  ✓   0.7s     920  $0.0030                           ━━",
      "├─ boss          script                                                  ✓   1.7s   1,920  unknown                                  ━━━━━━",
      "╰─ done          script                                                  ✓   0.7s     920  $0.0030                                        ━━",
    ]);
    expect((await shown({ tree: true }, 36)).split("\n").slice(1, 4)).toEqual([
      "                     time     cost",
      "desk             ✓  12.5s  unknown",
      "├─ clerk         ✓   7.7s  $0.0182",
    ]);
  });

  it("--tree gives what is under way the time until something was last heard of the run", async () => {
    expect(await shown({ tree: true }, 40, everything.slice(0, 11))).toBe(`
                 time  tokens     cost
desk          ▸  1.8s   1,290  $0.0050
╰─ clerk      ▸  1.8s   1,290  $0.0050
   ├─ script  ✓  1.4s   1,290  $0.0050
   ├─ lookup  ✓  0.3s
   ├─ 月      ▸  0.3s
   ╰─ nosuch  ✗  0.0s
`);
  });

  it("--transcript gives the conversation", async () => {
    expect(await shown({ transcript: true }, 60)).toBe(`
you  0.0s
The \\x1b[31mprinter\\x1b[0m is dead and its bill is unpaid

clerk  0.0s
│ Let me see.
│ › lookup {"q":"the bill\\u001b[2J of last month"}  0.3s
│   line one
│   line\\x1b[2J two
│ 月  1.4s
│ │ clerk › Who knows printers?
│ │ 月が海を引く。月が海を引く。月が海を引く。月が海を引く。
│ │ 月が海を引く。月が海を引く。
│ ✗ nosuch  0.0s
│   there is no tool 'nosuch'; there are lookup, agent__月
│ ! script: slow down
│ The bill is found. [ASK]
│ ──▶ both  signal [ASK]

both  7.7s
│ 月  7.7s
│ │ それは月です。
│ done  7.7s
│ │ I would \\x1b]0;owned\\x07pay.
│ ──▶ boss  group both joined

boss  10.1s
│ Both say so. [PAY]
│ [PAY]
│ ┃ boss waits for your approval
│ ┃
│ ┃ Agent 'boss' wants to hand over to 'done' (signal
│ ┃ [PAY]):
│ ┃
│ ┃   approve           let it go on
│ ┃   reject <words>    tell boss why not
│ ┃   redirect <agent>
│ you  1h 00m
│ approve go on
│ ──▶ done  signal [PAY]

done  1h 00m
│ Paid.

✓ completed: the answer of an agent that ends the run
`);
  });

  it("--cost gives a table by agent and model, and names what is unknown", async () => {
    expect(await shown({ cost: true }, 80)).toBe(`
agent   model   calls  input  output  cached  reasoning     cost  of the tokens
boss    script      1  1,900      20       0          0  unknown   20% ██
clerk   script      2  3,600     130   1,200          0  $0.0128   39% ███▉
月      script      2  1,600     400       0        128  $0.0108   21% ██▏
done    script      2  1,800      40       0          0  $0.0060   19% ██
───────────────────────────────────────────────────────────────────────────────
in all              7  8,900     590   1,200        128  unknown

! the price or the tokens are unknown: 1 call of script; the other rows cost
$0.0296
`);
  });

  it("--events gives a line each, and as JSON what is kept", async () => {
    expect(await shown({ events: true }, 60, everything.slice(0, 14))).toBe(`
seq   after  event            agent  about
  0  0.000s  run.started             desk: The \\x1b[31mprin…
  1  0.000s  agent.started    clerk  The \\x1b[31mprinter\\x1…
  2  0.000s  model.called     clerk  script
  3  1.400s  model.completed  clerk  1,200 → 90 tokens, $0.…
  4  1.400s  tool.called      clerk  lookup {"q":"the bill\\…
  5  1.400s  tool.called      clerk  agent__月 {"prompt":"W…
  6  1.400s  agent.started    月     Who knows printers?
  7  1.400s  model.called     月     script
  8  1.400s  tool.called      clerk  nosuch {}
  9  1.400s  tool.failed      clerk  nosuch: there is no to…
 10  1.750s  tool.completed   clerk  lookup: line one line\\…
 11  4.800s  model.completed  月     800 → 200 tokens, $0.0…
 12  4.800s  agent.completed  月     月が海を引く。月が海を…
 13  4.800s  tool.completed   clerk  agent__月: 月が海を引…
`);
    const lines = (await shown({ events: true, json: true })).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(everything.map((event) => ({ ...event, runId: id })));
  });

  it("shows events of types that it does not know", async () => {
    const [started] = everything;
    const unknown = { ...started, seq: 1, type: "moon.rose", data: { cycle: 2 } } as unknown as BatonEvent;
    const store = { ...(await keepRuns({ [id]: everything })), read: async () => [...everything.slice(0, 1), unknown] };
    for (const view of views) {
      const { output } = await printed((terminal) => show(id, view, terminal, store));
      if (view.events) expect(output).toMatch(/ 1 +0\.000s +moon\.rose +\{"cycle":2\}/);
    }
  });

  it("gives the same as JSON", async () => {
    const { usage, cost } = buildResult(everything);
    expect(await shownJson({})).toEqual(plain(buildResult(everything)));
    expect(await shownJson({ tree: true })).toEqual(plain(buildRunTree(everything)));
    expect(await shownJson({ transcript: true })).toEqual(plain(buildTranscript(everything)));
    expect(await shownJson({ cost: true })).toEqual(plain({ spending: listSpending(everything), usage, cost }));
  });
});

const scenarios = readdirSync(fileURLToPath(new URL("scenarios", import.meta.url)), {
  recursive: true,
  encoding: "utf8",
})
  .filter((file) => file.endsWith(".scenario.yaml"))
  .map((file) => file.replace(/\.scenario\.yaml$/, ""));

describe("of every scenario, the views", () => {
  const runs = Promise.all(scenarios.map((name) => eventsOf(name).catch(() => undefined)));

  it("add up to the result, to the token", async () => {
    const leaves = (node: RunNode): RunNode[] =>
      node.kind === "call" || node.kind === "function" ? [node] : node.children.flatMap(leaves);
    for (const events of await runs) {
      if (events === undefined) continue;
      const [{ usage, cost }, run, spendings] = [buildResult(events), buildRunTree(events), listSpending(events)];
      expect(run.total).toMatchObject({ usage, cost });
      for (const parts of [leaves(run).map(({ total }) => total), spendings.map(({ figures }) => figures)]) {
        // Sums leave out the tokens of failed attempts that nobody counted.
        if (usage.total === null) expect(parts.some((part) => part.usage.total === null)).toBe(true);
        else expect(sum(parts.map((part) => part.usage.total ?? 0))).toBe(usage.total);
        expect(sum(parts.map((part) => part.cost.unknownCalls))).toBe(cost.unknownCalls);
        if (cost.usd !== null) expect(sum(parts.map((part) => part.cost.usd ?? 0))).toBeCloseTo(cost.usd, 12);
      }
    }
  });

  it("fit into the terminal and leave it alone", async () => {
    for (const [index, events] of (await runs).entries()) {
      if (events === undefined) continue;
      const store = await keepRuns({ [id]: events });
      for (const [place, view] of views.entries()) {
        const columns = (index + place) % 2 === 0 ? 30 : 80;
        const { output } = await printed((terminal) => show(id, view, terminal, store), columns);
        const lines = output.split("\n");
        expect(lines.join("")).not.toMatch(/\p{Cc}/u);
        expect(lines.filter((line) => countCells(line) > columns)).toEqual([]);
      }
    }
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
