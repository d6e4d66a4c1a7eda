import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { vote } from "../docs/vote.ts";
import { eventsOfType } from "../fuzz/events-of-type.ts";
import type { TeamKind } from "../src/index.ts";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import { loadCrew } from "../src/library/load-crew.ts";
import { buildScript, type ScriptKeys } from "../src/prepare/build-script.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { agentFiles, loadWrittenCrew } from "./load-written-crew.ts";
import { type Playing, play } from "./play.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

function files(kind: string): Record<string, string> {
  return {
    "crew.yaml": `version: "2.0"\nname: board\nentry_point: lead\nagents: [lead, a, b, c]\nsettings: { on_no_signal: stop }`,
    ...agentFiles({
      lead: `description: leads\nteam: { kind: ${kind}, members: [a, b, c], supervisor: lead, memberMaxTurns: 3 }`,
      a: "description: first",
      b: "description: second",
      c: "description: third",
    }),
  };
}

const ballot = (choice: string, latencyMs = 0) => ({
  tools: [{ name: "team__vote", args: { choice, reason: `${choice} is best` } }],
  latency_ms: latencyMs,
});

/** Replies as they stand in a scenario. */
function scriptFor(replies: Readonly<Record<string, readonly unknown[]>>): ScriptKeys {
  return new Map(Object.entries(replies)) as unknown as ScriptKeys;
}

function playVote(replies: Readonly<Record<string, readonly unknown[]>>, more: Partial<Playing> = {}) {
  const { crew } = loadWrittenCrew(files("vote"));
  const script = scriptFor(replies);
  return play(crew, "Red or blue?", { script, teamKinds: new Map([["vote", vote]]), ...more });
}

function inputsOf(agent: string, events: readonly BatonEvent[]): string[] {
  return events.flatMap((event) =>
    (event.type === "agent.started" || event.type === "agent.told") && event.agent === agent ? [event.data.input] : [],
  );
}

const argued = {
  a: ["Red is loud.", ballot("red", 5)],
  b: [ballot("Blue", 2)],
  c: [ballot("blue")],
  lead: [],
};

describe("a vote, a kind of team in a module of its own", () => {
  it("takes fewer than a hundred lines, and nothing but the library", () => {
    const text = readFileSync(new URL("../docs/vote.ts", import.meta.url), "utf8");
    expect(text.split("\n").length).toBeLessThan(100);
    expect(text.match(/from "[^"]*"/g)).toEqual([`from "../src/index.ts"`]);
  });

  it("is decided by the members, and costs the supervisor no turn", async () => {
    const events = await playVote(argued);
    expect(buildResult(events)).toMatchObject({ status: "completed", path: ["lead"], finalAgent: "lead", handoffs: 0 });
    expect(buildResult(events).output).toBe("blue\n\nblue: 2 of 3\nred: 1 of 3");
    expect(events.filter(({ type, agent }) => type === "model.called" && agent === "lead")).toEqual([]);
  });

  it("is argued in the open, and cast in secret", async () => {
    const events = await playVote(argued);
    const [task, news = ""] = inputsOf("a", events);
    expect(task).toBe("Red or blue?");
    expect(news).toContain("member c left the team");
    expect(news).not.toContain("votes for");
    expect(inputsOf("lead", events).join()).toContain("votes for Blue. Blue is best");
    expect(inputsOf("lead", events).join()).toContain("Red is loud.");
  });

  it("is the supervisor's where there is no majority", async () => {
    const tie = { a: [ballot("red")], b: [ballot("blue")], c: [{ error: { status: 400, message: "no" } }] };
    const events = await playVote({ ...tie, lead: ["Red, then."] });
    expect(buildResult(events).output).toBe("Red, then.");
    expect(inputsOf("lead", events).join()).toContain("votes for red");
  });

  it("tells a member whose ballot cannot be read, and does without one that never votes", async () => {
    const blank = { tools: [{ name: "team__vote", args: { choice: " " } }] };
    const events = await playVote({ a: [blank, ballot("red")], b: [ballot("red")], c: ["hm", "hm", "hm"], lead: [] });
    expect(eventsOfType(events, "tool.failed")[0]?.data).toMatchObject({ message: "'choice' must be text" });
    expect(buildResult(events).output).toBe("red\n\nred: 2 of 2");
  });

  it("can be replayed, and resumes from wherever its process died", async () => {
    const events = await playVote(argued);
    const calls: string[] = [];
    expect(await playVote(argued, { recorded: events, onCall: (what) => calls.push(what) })).toEqual(events);
    expect(calls).toEqual([]);
    for (let cut = 1; cut < events.length; cut++) {
      const again = await playVote(argued, { recorded: events.slice(0, cut) });
      expect(buildResult(again).output, `interrupted after event ${cut}`).toBe(buildResult(events).output);
      expect(await playVote(argued, { recorded: again })).toEqual(again);
    }
  });
});

describe("kinds of teams", () => {
  const scripted = (kinds?: Readonly<Record<string, TeamKind>>, kind = "vote") => {
    const script = buildScript(scriptFor({ a: [ballot("x")], b: [ballot("x")], c: [ballot("x")] }));
    const options = { script, store: openMemoryStore(), ...(kinds !== undefined && { teams: kinds }) };
    return loadCrew(writeCrew(files(kind)), options);
  };

  it("are given to a crew by name, also for its replays", async () => {
    const crew = await scripted({ vote });
    const { runId, output } = await crew.run("x or y?");
    expect(output).toContain("x: 3 of 3");
    expect(await crew.replay(runId)).not.toHaveProperty("divergence");
  });

  it("that nobody gave are told before anything is run, with those there are", async () => {
    const unknown = { code: "unknown-team-kind" };
    await expect((await scripted({ vote }, "swarm")).run("go")).rejects.toMatchObject(unknown);
    await expect((await scripted({ vote }, "swarm")).run("go")).rejects.toThrow(
      "agent 'lead' has a team of unknown kind 'swarm'; there are vote",
    );
    await expect((await scripted(undefined, "constructor")).run("go")).rejects.toThrow("no kinds were given");
  });

  it("cannot be given on the command line, which says so", () => {
    const cwd = writeCrew({ ...files("vote"), "replies.yaml": "lead: [hello]\n" });
    const { exitCode, stderr } = runBaton(["run", ".", "go", "--script", "replies.yaml"], { cwd });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("unknown kind 'vote'");
  });

  it("may have the members go on for as long as they have turns", async () => {
    const endless: TeamKind = { ...vote, afterCycle: () => "cycle" };
    const { crew } = loadWrittenCrew(files("endless"));
    const script = scriptFor({ a: ["1", "2", "3"], b: ["1", "2", "3"], c: ["", "", ""], lead: ["So be it."] });
    const events = await play(crew, "go", {
      script,
      teamKinds: new Map([["endless", endless]]),
    });
    expect(buildResult(events).output).toBe("So be it.");
    expect(eventsOfType(events, "team.cycle")).toHaveLength(3);
    expect(eventsOfType(events, "team.left")).toHaveLength(3);
  });
});

describe("a kind of team that lets members whisper", () => {
  const whisper: TeamKind = {
    tool: {
      name: "team__whisper",
      description: "Says something to one member.",
      parameters: { type: "object", properties: { to: { type: "string" }, message: { type: "string" } } },
      read: ({ to, message }) => ({ message: String(message), to: [String(to)] }),
    },
    afterCycle: () => "supervisor",
  };
  const say = (to: string, message: string) => ({ tools: [{ name: "team__whisper", args: { to, message } }] });

  it("tells one who whispers to nobody of the team so, and gives it another turn", async () => {
    const { crew } = loadWrittenCrew(files("whisper"));
    const script = scriptFor({ a: [say("zed", "psst"), say("b", "psst")], b: [""], c: [""], lead: ["Done."] });
    const events = await play(crew, "Red or blue?", { script, teamKinds: new Map([["whisper", whisper]]) });
    expect(eventsOfType(events, "tool.failed").map(({ data }) => data.message)).toEqual([
      "there is no 'zed' in the team; there are a, b, c, lead",
    ]);
    expect(eventsOfType(events, "team.broadcast").map(({ data }) => [data.memberId, data.to])).toEqual([["a", ["b"]]]);
    expect(buildResult(events).output).toBe("Done.");
  });
});
