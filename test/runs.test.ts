import { describe, expect, it } from "vitest";
import { findRun } from "../src/cli/find-run.ts";
import { type RunsOptions, runs } from "../src/cli/runs-command.ts";
import type { Store } from "../src/journal/store.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { eventsOf } from "./events-of.ts";
import { keepRuns, printed } from "./kept-runs.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const ended = await eventsOf("views/everything");
const [startedAt = 0, hour] = [ended[0]?.ts, 3_600_000];
const store = await keepRuns({
  run_00000000aaaaaaaaaaaa: after(-400 * 24 * hour, ended),
  run_00000001aaaaaaaaaaaa: after(-24 * hour, await eventsOf("external/stays-paused")),
  run_00000002aaaaaaaaaaaa: after(0, await eventsOf("output/error-of-a-failed-run")),
  run_00000003aaaaaaaaaaaa: after(hour, ended.slice(0, 14)),
});
const now = startedAt + 2 * hour;

function after(ms: number, events: readonly BatonEvent[]): BatonEvent[] {
  return events.map((event) => ({ ...event, ts: event.ts + ms }));
}

async function listed(options: RunsOptions, columns?: number, from: Store = store) {
  return printed((terminal) => runs(options, terminal, from, now), columns);
}

describe("baton runs", () => {
  it("lists runs, the newest first", async () => {
    expect(`\n${(await listed({}, 80)).output}`).toBe(`
run           crew  status            started     time  events  input
run_00000003  desk  ■ interrupted    01:00:00     4.8s      14  The \\x1b[31mpri…
run_00000002  pair  ✗ failed         00:00:00     0.0s      12  Hello
run_00000001  pair  ‖ paused       2025-12-31  26h 00m       9  Hello
run_00000000  desk  ✓ completed    2024-11-27    12.5s      45  The \\x1b[31mpri…
`);
  });

  it("leaves out what there is no room for, and cuts nothing in a pipe", async () => {
    expect((await listed({}, 44)).output.split("\n")[1]).toBe("run_00000003  desk  ■ interrupted     4.8s");
    expect((await listed({})).output).toContain("run_00000003aaaaaaaaaaaa  desk");
    expect((await listed({})).output).toContain("The \\x1b[31mprinter\\x1b[0m is dead and its bill is unpaid");
  });

  it("gives those that are asked for, as JSON too", async () => {
    expect(JSON.parse((await listed({ status: "paused", json: true })).output)).toEqual({
      runs: await store.list({ status: "paused" }),
    });
    expect((await listed({ crew: "pair", limit: 1 })).output.trim().split("\n")).toHaveLength(2);
    expect(await listed({ crew: "nobody" })).toMatchObject({
      output: "",
      notes: "no stored run matches these options\n",
    });
  });
});

describe("a run is found", () => {
  const found = async (name: string, from: Pick<Store, "list"> = store) =>
    findRun(name, from).then(
      ({ runId }) => runId,
      (error: Error) => error.message,
    );

  it.each([
    ["by its id", "run_00000002aaaaaaaaaaaa", "run_00000002aaaaaaaaaaaa"],
    ["by the beginning of it", "run_00000001", "run_00000001aaaaaaaaaaaa"],
    ["without what all ids begin with", "00000001", "run_00000001aaaaaaaaaaaa"],
    ["as the last", "last", "run_00000003aaaaaaaaaaaa"],
    [
      "not by a slip",
      "run_0000002aaaaaaaaaaaa",
      "there is no run 'run_0000002aaaaaaaaaaaa'; did you mean 'run_00000002aaaaaaaaaaaa'?",
    ],
  ])("%s", async (_, name, said) => {
    expect(await found(name)).toBe(said);
  });

  it("not where several are meant, or none; then it is said which there are", async () => {
    const ids = [3, 2, 1, 0].map((digit) => `run_0000000${digit}aaaaaaaaaaaa`);
    const [first, ...candidates] = (await found("0000")).split("\n");
    expect(first).toBe("several runs begin with '0000'; write more of an id:");
    expect(candidates.map((line) => line.trim().split("  ")[0])).toEqual(ids);
    expect(candidates[0]).toMatch(/ {2}2026-\S+ \S+ {2}desk {2}running {2}The .*printer.* is dead and its bill/);
    expect(await found("nothing")).toBe(`there is no run 'nothing'; the newest are ${ids.join(", ")}`);
    const alone = await keepRuns({ run_alone: await eventsOf("entry/classifier") });
    expect(await found("", alone)).toBe("there is no run ''; the newest are run_alone");
    expect(await found("last", await keepRuns({}))).toBe("there are no runs yet; start one with baton run");
  });
});

describe("the commands", () => {
  const project = writeCrew({
    "crew.yaml": 'version: "2.0"\nname: desk\nagents: [clerk]\n',
    "agents/clerk.md": "---\nis_terminal: true\n---\nHelp.",
    "replies.yaml": "clerk: [Done.]",
    ".git/HEAD": "",
  });
  const typed = (...words: string[]) => runBaton(words, { cwd: project });

  it("look at the runs of the project", () => {
    expect(typed("runs")).toMatchObject({ exitCode: 0, stdout: "", stderr: "no runs are stored here yet\n" });
    expect(typed("run", ".", "Help me", "--script", "replies.yaml")).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    expect(typed("runs", "--status", "completed").stdout).toMatch(/desk {2}✓ completed .* Help me\n$/);
    expect(typed("show", "last", "--transcript").stdout).toContain("│ Done.\n");
    expect(JSON.parse(typed("show", "last", "--json").stdout)).toMatchObject({ status: "completed", output: "Done." });
  });

  it("take one view at a time, a known run, a known status and a sensible limit", () => {
    const refused = (exitCode: number, words: string) => ({ exitCode, stderr: expect.stringContaining(words) });
    expect(typed("show", "last", "--tree", "--cost")).toMatchObject(refused(2, "cannot be used with option '--cost'"));
    expect(typed("runs", "--status", "asleep")).toMatchObject(
      refused(2, "Allowed choices are queued, running, paused"),
    );
    expect(typed("runs", "--limit", "0")).toMatchObject(refused(2, "Write a whole number above 0"));
    expect(typed("show", "x", "--json")).toMatchObject(refused(1, "there is no run 'x'; the newest are run_"));
    expect(JSON.parse(typed("show", "x", "--json").stdout)).toMatchObject({ error: { code: "unknown-run" } });
  });

  it("want one run: they list those that may be meant", () => {
    for (const input of ["Help me", "Help me again"]) typed("run", ".", input, "--script", "replies.yaml");
    const lines = ["Help me again", "Help me"].map((input) => String.raw`  run_\w+  .*  desk  completed  ${input}\n`);
    const said = new RegExp(`several runs begin with 'run_'; write more of an id:\n${lines.join("")}`);
    for (const command of [
      ["show", "run_"],
      ["replay", "run_"],
      ["resume", "run_", "yes"],
      ["cancel", "run_"],
      ["fork", "run_", "--at", "0"],
      ["feedback", "run_", "good"],
      ["diagnose", "run_"],
      ["graph", ".", "--run", "run_"],
      ["test", "--record", "run_"],
    ]) {
      const { exitCode, stdout, stderr } = typed(...command);
      expect([command, exitCode, stdout]).toEqual([command, 1, ""]);
      expect(stderr).toMatch(said);
    }
  });
});
