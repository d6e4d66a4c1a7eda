import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HANG_UP, runInTerminal, screenOf } from "./in-terminal.ts";
import { agentFiles } from "./load-written-crew.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const files = {
  "package.json": '{ "type": "module" }',
  "crew.yaml": `
version: "2.0"
name: desk
agents: [triage, ann, bob, fixer]
settings: { on_no_signal: next }
tools: { look: ./tools.js#look }
routing:
  signals: { triage: [{ signal: "[FIX]", target: both, description: It needs repair }] }
  parallel_groups: { both: { agents: [ann, bob], wait_for_all: true, next_agent: fixer } }
  agent_behaviors: { triage: { auto_route: false }, fixer: { is_terminal: true } }
`,
  "tools.js": `
import { defineTool } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url))};
const execute = () => { console.log("printed by a tool"); return "dark"; };
export const look = defineTool({ name: "look", description: "d", execute });`,
  ...agentFiles({ ann: "", bob: "", fixer: "" }),
  "agents/triage.md": "---\ntools: [look]\n---\nSay [FIX].\n",
  "replies.yaml": `
triage: [{ tools: [{ name: look }] }, { text: "It needs a fuse. [FIX]", latency_ms: 150 }]
ann: [{ text: Fuses are in the cellar., latency_ms: 200 }]
bob: [{ text: Switch it off first., latency_ms: 100 }]
fixer: [{ text: Done., latency_ms: 100 }]`,
  "endless.yaml": "triage: [{ text: never, latency_ms: 600000 }]",
};
const args = (script: string) => ["run", ".", "The printer is dead", "--script", script];
const hidden = "\u001b[?25l";
const shown = "\u001b[?25h";

describe("baton run at a terminal", () => {
  it("shows the run, asks in place, and leaves the whole of it on the screen", async () => {
    const keys = [
      ["❯ ", "maybe\r"],
      ["❯ ", "approve\r"],
    ] as const;
    const { exitCode, written } = await runInTerminal(args("replies.yaml"), { cwd: writeCrew(files), keys });
    expect(screenOf(written).replace(/\d+\.\ds/g, "0.0s")).toBe(
      `
desk  The printer is dead

printed by a tool
╭ triage  ✓ 0.0s
│ › look  0.0s  dark
│
│ It needs a fuse.
╰─ [FIX] ──‖ paused  It needs repair

┃ triage waits for your approval
┃
┃ Agent 'triage' wants to hand over to 'both', the group of ann, bob (signal
┃ [FIX]):
┃
┃   approve           let it go on
┃   reject <words>    tell triage why not
┃   redirect <agent>  triage, ann, bob, fixer
┃
┃ Enter an empty line to leave the run paused.
❯ maybe

this pause expects approve, reject or redirect:<agent>; got "maybe"
❯ approve

╶──▶ both  signal [FIX]

╭ both  ✓ 0.0s
│ • ann  ✓ 0.0s
│   Fuses are in the cellar.
│ • bob  ✓ 0.0s
│   Switch it off first.
╰──▶ fixer  group both joined

╭ fixer  ✓ 0.0s
│ Done.
╰──■ end

✓ completed: the answer of an agent that ends the run

  path      triage → both → fixer
  handoffs  2
  tokens    0
  cost      unknown: 5 calls without a price
  time      0.0s
`.trimStart(),
    );
    expect(written).toMatch(/bob {2}. thinks · 0s/);
    expect(written.lastIndexOf(shown)).toBeGreaterThan(written.lastIndexOf(hidden));
    expect(exitCode).toBe(0);
  });

  it("knows of a run that is resumed what happened before", async () => {
    const cwd = writeCrew(files);
    const env = { BATON_HOME: mkdtempSync(join(tmpdir(), "baton-resumed-")) };
    expect(runBaton(args("replies.yaml"), { cwd, home: env.BATON_HOME })).toMatchObject({ exitCode: 4 });
    const { exitCode, written } = await runInTerminal(["resume", "last", "approve"], { cwd, env });
    expect(exitCode).toBe(0);
    const region = /desk · \d+s · \d handoffs? · 0 tokens · cost unknown/;
    expect(written).toMatch(region);
    expect(written).not.toMatch(/ \d+h/);
    expect(screenOf(written).replace(/\d+\.\ds/g, "0.0s")).toContain(`
  path      triage → both → fixer
  handoffs  2
  tokens    0
  cost      unknown: 5 calls without a price
  time      0.0s`);
  });

  it("shows an agent's whole answer where its process died in the middle of it", async () => {
    const cwd = writeCrew(files);
    const env = { BATON_HOME: mkdtempSync(join(tmpdir(), "baton-recovered-")) };
    const keys = [["thinks", HANG_UP]] as const;
    const left = await runInTerminal([...args("endless.yaml"), "--grace", "1"], { cwd, env, keys });
    expect(left.exitCode).toBe(129);
    const resumed = ["resume", "last", "--script", "replies.yaml"];
    const { written } = await runInTerminal(resumed, { cwd, env, keys: [["❯ ", "\r"]] });
    expect(screenOf(written)).toMatch(/╭ triage {2}✓ \d+\.\ds\n(│.*\n)*│ It needs a fuse\.\n/);
    expect(written).not.toMatch(/ \d+h/);
  });

  it("leaves the run paused at an empty line", async () => {
    const { exitCode, written } = await runInTerminal(args("replies.yaml"), {
      cwd: writeCrew(files),
      keys: [["❯ ", "\r"]],
    });
    expect(screenOf(written)).toContain("‖ paused: triage waits for an answer\n");
    expect(exitCode).toBe(4);
  });

  it("stops at the second Ctrl-C, and gives the cursor back", async () => {
    const keys = [
      ["thinks", "\u0003"],
      ["Ctrl-C again stops at once", "\u0003"],
    ] as const;
    const { exitCode, written } = await runInTerminal(args("endless.yaml"), { cwd: writeCrew(files), keys });
    expect(screenOf(written)).toContain("╰──■ cancelled\n\n■ cancelled\n");
    expect(written.endsWith(shown)).toBe(true);
    expect(exitCode).toBe(130);
  });

  it("is plain where the terminal cannot be painted on", async () => {
    const quiz = { cwd: writeCrew(files), env: { TERM: "dumb" }, keys: [["❯ ", "\u0004"]] as const };
    const { exitCode, written } = await runInTerminal(args("replies.yaml"), quiz);
    expect(written).toContain("paused (gate): triage waits for an answer: baton resume run_");
    expect(written).not.toContain(hidden);
    expect(exitCode).toBe(4);
  });
});
