import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runBaton, startBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const gated = {
  "crew.yaml": `version: "2.0"
name: desk
agents: [triage, fixer]
routing:
  signals: { triage: [{ signal: "[FIX]", target: fixer }] }
  agent_behaviors: { triage: { auto_route: false } }
`,
  "agents/triage.md": "---\ndescription: reads\n---\nSay [FIX].\n",
  "agents/fixer.md": "---\ndescription: repairs\nis_terminal: true\n---\nRepair.\n",
  "script.yaml": `triage: ["It is the toner. [FIX]", "It is the fuser. [FIX]"]\nfixer: [Changed it.]\n`,
};

const cwd = writeCrew(gated);
const baton = (...args: readonly string[]) => runBaton(args, { cwd });
const scripted = ["--script", "script.yaml"];

describe("a run that is kept", () => {
  let runId = "";
  beforeAll(() => {
    const { exitCode, stderr } = baton("run", ".", "The printer is dead", ...scripted);
    expect(exitCode).toBe(4);
    runId = /baton resume (run_\w+)/.exec(stderr)?.[1] ?? "";
  });

  it("says what it asks, and waits", () => {
    const { exitCode, stderr } = baton("resume", "last");
    expect(exitCode).toBe(4);
    expect(stderr).toContain("Agent 'triage' wants to hand over to 'fixer'");
  });

  it("takes no answer that does not fit, and continues with one that does", () => {
    expect(baton("resume", runId, "aprove", ...scripted)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("this pause expects approve, reject or redirect:<agent>; got"),
    });
    expect(baton("resume", runId, "reject", "look", "again", ...scripted)).toMatchObject({
      exitCode: 4,
      // Nobody has approved that answer yet, so it is none.
      stdout: "",
      stderr: expect.stringContaining("It is the fuser.\n"),
    });
    const { exitCode, stdout } = baton("resume", runId, "approve", "--json", ...scripted);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ runId, status: "completed", path: ["triage", "triage", "fixer"] });
  });

  it("can be replayed, under the crew as it was", () => {
    expect(baton("replay", runId)).toMatchObject({ exitCode: 0, stdout: "21 events, all the same\n" });
  });

  it("can go another way from any of its events", () => {
    const forked = baton("fork", runId, "--at", "3", "--reply", "No idea.", ...scripted);
    expect(forked).toMatchObject({ exitCode: 0, stdout: "Changed it.\n" });
    expect(baton("fork", runId, "--at", "2", "--reply", "x", ...scripted)).toMatchObject({
      exitCode: 1,
      stderr: "error: a reply can be changed at 'model.completed' or 'function.completed'; event 2 is 'model.called'\n",
    });
    const wide = baton("fork", runId, "--at", "99", ...scripted);
    expect(wide.stderr).toBe("error: the run has no event 99; its events are 0 to 20\n");
  });

  it("is a tree no wider than a screen where it is piped on", () => {
    const lines = baton("show", runId, "--tree").stdout.split("\n");
    expect(lines.length).toBeGreaterThan(3);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("is listed, shown and judged", () => {
    expect(JSON.parse(baton("runs", "--json").stdout).runs).toHaveLength(2);
    expect(baton("show", runId).stdout).toContain("The printer is dead");
    expect(baton("feedback", runId, "good", "quick", "work").stdout).toBe(`${runId} is good\n`);
    expect(baton("feedback", runId, "so-so").exitCode).toBe(2);
    const leaked = baton("feedback", runId, "good", `the key was sk-${"a1b2c3d4".repeat(4)}`, "--json");
    expect(JSON.parse(leaked.stdout)).toMatchObject({ runId, words: "the key was [REDACTED:OpenAI key]" });
  });

  it("cannot be resumed or cancelled when it has ended", () => {
    expect(baton("resume", runId, "approve").stderr).toContain("is completed");
    expect(baton("cancel", runId).stderr).toContain(`there is nothing to cancel: run '${runId}' is completed`);
  });

  it("is cancelled while it is paused, without any model", () => {
    baton("run", ".", "Again", ...scripted);
    expect(baton("cancel", "last")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("cancelled") });
    expect(JSON.parse(baton("show", "last", "--json").stdout)).toMatchObject({ status: "cancelled" });
  });
});

describe("a crew that has changed", () => {
  it("is told, and the run continues with it, or with the original, only when that is said", () => {
    const folder = writeCrew(gated);
    const here = (...args: readonly string[]) => runBaton(args, { cwd: folder });
    here("run", ".", "First", ...scripted);
    appendFileSync(join(folder, "agents/fixer.md"), "Repair it well.\n");
    const refused = here("resume", "last", "approve", ...scripted);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("agents.fixer.prompt has changed") });
    expect(here("resume", "last", "approve", "--accept-changes", ...scripted).stdout).toBe("Changed it.\n");
  });
});

describe("a run in another process", () => {
  it.each([[[]], [["--graceful"]]])("is cancelled by its id, %j, and its process ends", async (how) => {
    // Long enough to be cancelled in, however busy the machine is: what finishes gracefully is the turn under way.
    const slow = "triage: [{ text: hm, latency_ms: 8000 }]\nfixer: [{ text: never, latency_ms: 60000 }]\n";
    const folder = writeCrew({ ...gated, "slow.yaml": slow, "baton.yaml": "" });
    const process_ = startBaton(["run", ".", "Wait", "--script", "slow.yaml"], folder);
    const running = () => runBaton(["runs", "--json"], { cwd: folder }).stdout;
    await expect.poll(running).toContain("running");
    const newest = runBaton(["cancel", "last", ...how, "--json"], { cwd: folder });
    expect(JSON.parse(newest.stdout)).toMatchObject({ status: "cancelling" });
    expect(await process_).toBe(130);
  });
});
