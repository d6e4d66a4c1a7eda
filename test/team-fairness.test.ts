import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventsOfType } from "../fuzz/events-of-type.ts";
import type { ScriptKeys } from "../src/prepare/build-script.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { agentFiles, loadWrittenCrew } from "./load-written-crew.ts";
import { play } from "./play.ts";

/** What a member does when it is its turn, and how long it takes over it. */
const deed = fc.record({
  latencyMs: fc.integer({ min: 0, max: 5 }),
  what: fc.constantFrom("say", "say", "say", "answer", "nothing", "look first", "leave", "leave in failure", "fail"),
});

const world = fc.record({
  members: fc.array(fc.record({ deeds: fc.array(deed, { minLength: 1, maxLength: 6 }), hasChain: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  }),
  supervisor: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 4 }),
  memberMaxTurns: fc.integer({ min: 1, max: 9 }),
});

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;
type Deed = World["members"][number]["deeds"][number];

describe("a team, whatever its members do and however long they take", () => {
  it("starves nobody, serves nobody twice, and delivers each message once, in order, to everybody but its author", async () => {
    await fc.assert(
      fc.asyncProperty(world, async (drawn) => {
        const { crew } = loadWrittenCrew(filesOf(drawn));
        const playing = {
          script: scriptOf(drawn),
          tools: new Map([["look", { result: "seen", delay_ms: 2 }]]) as never,
        };
        const events = await play(crew, "Plan it", playing);
        // A supervisor that still broadcasts where it must answer fails.
        expect(events.at(-1)?.type).toMatch(/^run\.(completed|failed)$/);
        checkTurns(events, drawn.members.length);
        checkDelivery(events, drawn.members.length);
        expect(await play(crew, "Plan it", { ...playing, recorded: events })).toEqual(events);
      }),
      { numRuns: 60 },
    );
  });
});

/** In every cycle each member that is still there begins once; one that has left never does again. */
function checkTurns(events: readonly BatonEvent[], members: number): void {
  const gone = new Set<string>();
  for (const event of events) {
    if (event.type === "team.left") gone.add(event.data.memberId);
    if (event.type !== "team.cycle") continue;
    const there = Array.from({ length: members }, (_, index) => `m${index}`).filter((id) => !gone.has(id));
    expect(event.data.members).toEqual(there);
    const begun = eventsOfType(events, "agent.started").flatMap(({ path }) => {
      const [, cycle, index] = /\/k(\d+)\/w(\d+)$/.exec(path) ?? [];
      return Number(cycle) === event.data.cycle ? [`m${index}`] : [];
    });
    expect(begun.toSorted()).toEqual(there);
  }
}

/** Whenever somebody reads, it has then read all that was said before by others, and each of it once. */
function checkDelivery(events: readonly BatonEvent[], members: number): void {
  const said: { readonly seq: number; readonly by: string }[] = [];
  const read = new Map<string, number[]>();
  for (const event of events) {
    if (event.type === "team.broadcast") said.push({ seq: event.data.seq, by: event.data.memberId });
    if (event.type !== "agent.started" && event.type !== "agent.told") continue;
    const reader = readerOf(event.path);
    const heard = read.get(reader) ?? [];
    for (const [, seq] of event.data.input.matchAll(/^### #(\d+) from /gm)) heard.push(Number(seq));
    read.set(reader, heard);
    // A later stage of a member's chain begins with what the stage before it said.
    if (/\.\d+$/.test(event.path) && event.type === "agent.started") continue;
    expect(heard, `${reader} at ${event.path}`).toEqual(said.filter(({ by }) => by !== reader).map(({ seq }) => seq));
  }
  expect(said.map(({ seq }) => seq)).toEqual(said.map((_, index) => index + 1));
  expect(read.size).toBe(members + 1);
}

function readerOf(path: string): string {
  const [, index] = /\/w(\d+)(\.\d+)?$/.exec(path) ?? [];
  return index === undefined ? "lead" : `m${index}`;
}

function filesOf({ members, memberMaxTurns }: World): Record<string, string> {
  const ids = members.map((_, index) => `m${index}`);
  const helpers = members.flatMap(({ hasChain }, index) => (hasChain ? [`h${index}`] : []));
  const keys = "tools: [look]\nmax_retries: 0";
  const team = `team: { members: [${ids}], supervisor: lead, memberMaxTurns: ${memberMaxTurns}, supervisorMaxTurns: 9 }`;
  return {
    "crew.yaml": `version: "2.0"\nname: team\nentry_point: lead\nagents: [${["lead", ...ids, ...helpers]}]
tools: { look: ./tools.ts#look }\nsettings: { on_no_signal: stop, timeout_seconds: 1000 }`,
    "tools.ts": "export const look = {};",
    ...agentFiles({
      lead: `description: leads\n${team}`,
      ...Object.fromEntries(ids.map((id, index) => [id, `description: ${id}\n${keys}${chainOf(members, index)}`])),
      ...Object.fromEntries(helpers.map((id) => [id, `description: ${id}\n${keys}`])),
    }),
  };
}

function chainOf(members: World["members"], index: number): string {
  return members[index]?.hasChain ? `\nhandoff: h${index}` : "";
}

function scriptOf({ members, supervisor }: World): ScriptKeys {
  const speak = (message: string, latencyMs: number) => ({
    tools: [{ name: "team__broadcast", args: { message } }],
    latency_ms: latencyMs,
  });
  const replies = members.flatMap(({ deeds, hasChain }, index): [string, unknown[]][] => {
    // Each deed more than once, since there may be more cycles than deeds.
    const all = [...deeds, ...deeds, ...deeds].flatMap((each) => repliesOf(each, `m${index}`));
    return hasChain
      ? [
          [`m${index}`, ["To be passed on."]],
          [`h${index}`, all],
        ]
      : [[`m${index}`, all]];
  });
  const lead = [...supervisor.map((latencyMs) => speak("go on", latencyMs)), "Done."];
  return new Map([...replies, ["lead", lead]]) as unknown as ScriptKeys;
}

function repliesOf({ what, latencyMs }: Deed, id: string): unknown[] {
  const say = (more = {}) => ({
    tools: [{ name: "team__broadcast", args: { message: `${id} says`, ...more } }],
    latency_ms: latencyMs,
  });
  switch (what) {
    case "say":
      return [say()];
    case "answer":
      return [{ text: `${id} answers`, latency_ms: latencyMs }];
    case "nothing":
      return [{ text: "", latency_ms: latencyMs }];
    case "look first":
      return [{ tools: [{ name: "look", args: {} }], latency_ms: latencyMs }, say()];
    case "leave":
      return [say({ final: true })];
    case "leave in failure":
      return [say({ final: true, status: "failure" })];
    case "fail":
      return [{ error: { status: 400, message: "no" }, latency_ms: latencyMs }];
  }
}
