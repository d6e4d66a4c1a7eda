import { describe, expect, it } from "vitest";
import type { HandoffRecord } from "../src/journal/handoff-record.ts";
import { listHandoffRecords } from "../src/learning/handoff-records.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { agentFiles, loadWrittenCrew } from "./load-written-crew.ts";
import { type Playing, play } from "./play.ts";

const crewYaml = (more: string, agents: string, name = "desk") =>
  `version: "2.0"\nname: ${name}\nagents: [${agents}]\n${more}\n`;

/** Replies as a scenario has them, of which what is absent may be left out. */
type Replies = readonly unknown[];

function playOn(crew: Crew, script: Readonly<Record<string, Replies>>): Promise<BatonEvent[]> {
  return play(crew, "go", { script: new Map(Object.entries(script)) as Playing["script"] });
}

async function recordsOf(
  files: Readonly<Record<string, string>>,
  script: Readonly<Record<string, Replies>>,
  path = ".",
): Promise<HandoffRecord[]> {
  const { crew } = loadWrittenCrew(files, path);
  return listHandoffRecords(await playOn(crew, script));
}

function linesOf(records: readonly HandoffRecord[]): string[] {
  return records.map(({ crew, from, to, via, isSuccess, loop }) =>
    [crew, from ?? "–", via, to, isSuccess ?? "?", ...(loop === undefined ? [] : [loop])].join(" "),
  );
}

describe("the handoffs of a run", () => {
  const pair = {
    "crew.yaml": crewYaml(
      'routing: { signals: { a: [{ signal: "[B]", target: b }], b: [{ signal: "[A]", target: a }, { signal: "[END]", target: "" }] } }',
      "a, b",
    ),
    ...agentFiles({ a: "temperature: 0", b: "temperature: 0" }),
  };

  it("have gone well where the run ended as it should; ways round are named", async () => {
    const records = await recordsOf(pair, { a: ["[B]", "[B]"], b: ["[A]", "[END]"] });
    expect(linesOf(records)).toEqual([
      "desk – entry a true",
      "desk a signal b true",
      "desk b signal a true a > b > a",
      "desk a signal b true b > a > b",
    ]);
    expect(records.map(({ seq }) => seq)).toEqual([...new Set(records.map(({ seq }) => seq))].sort((a, b) => a - b));
  });

  it("have failed where the run did, or was ended by a limit, which is a gap", async () => {
    const failed = await recordsOf(pair, { a: ["[B]"], b: [{ error: { status: 400, message: "no" } }] });
    expect(linesOf(failed)).toEqual(["desk – entry a false", "desk a signal b false"]);
    expect(failed[0]?.unmatched).toBeUndefined();
    const limited = { ...pair, "crew.yaml": `${pair["crew.yaml"]}settings: { max_handoffs: 1 }\n` };
    const ended = await recordsOf(limited, { a: ["[B]"], b: ["[A]"] });
    expect(linesOf(ended)).toEqual(["desk – entry a false", "desk a signal b false"]);
    expect(ended[0]?.unmatched).toBe("max_handoffs");
  });

  it("have failed where whoever had the work did, though the run went on", async () => {
    const files = {
      "crew.yaml": crewYaml("", "a, b, c"),
      ...agentFiles({ a: "handoff: b", b: "handoff: { to: c, on_failure: continue }", c: "is_terminal: true" }),
    };
    const script = { a: ["x"], b: [{ error: { status: 400, message: "no" } }], c: ["done"] };
    expect(linesOf(await recordsOf(files, script))).toEqual([
      "desk – entry a true",
      "desk a handoff b false",
      "desk b handoff c true",
    ]);
  });

  it("cost and take what was spent until the work was handed on", async () => {
    const prices = "cost_limits: { input_token_price_per_million: 1, output_token_price_per_million: 1 }";
    const files = { ...pair, ...agentFiles({ a: prices, b: prices }) };
    const reply = (text: string, input: number) => ({ text, usage: { input, output: 0 }, latency_ms: input });
    const records = await recordsOf(files, { a: [reply("[B]", 100)], b: [reply("[END]", 30)] });
    expect(records.map(({ ms }) => ms)).toEqual([100, 30]);
    expect(records.map(({ costUsd = 0 }) => Math.round(costUsd * 1e6))).toEqual([100, 30]);
    expect((await recordsOf(pair, { a: ["[B]"], b: ["[END]"] }))[0]?.costUsd).toBeUndefined();
  });

  it("go to groups and back", async () => {
    const files = {
      "crew.yaml": crewYaml(
        'routing: { signals: { a: [{ signal: "[ALL]", target: both }, { signal: "[END]", target: "" }] }, parallel_groups: { both: { agents: [b, c], wait_for_all: true, next_agent: a } } }',
        "a, b, c",
      ),
      ...agentFiles({ a: "temperature: 0", b: "temperature: 0", c: "temperature: 0" }),
    };
    const script = { a: ["[ALL]", "[END]"], b: ["x"], c: [{ error: { status: 400, message: "no" } }] };
    expect(linesOf(await recordsOf(files, script))).toEqual([
      "desk – entry a true",
      "desk a group both true",
      "desk both group a true a > both > a",
    ]);
  });

  it("inside a sub-crew are its own, and end as it does", async () => {
    const call =
      'sub_crews: { lab: { config_path: ../lab } }\nrouting: { signals: { a: [{ signal: "[LAB]", target_crew: lab, on_error: continue }, { signal: "[END]", target: "" }] } }';
    const files = {
      "office/crew.yaml": crewYaml(call, "a", "office"),
      "office/agents/a.md": "Work.\n",
      "lab/crew.yaml": crewYaml("", "x, y", "lab"),
      "lab/agents/x.md": "Work.\n",
      "lab/agents/y.md": "Work.\n",
    };
    const ended = await recordsOf(files, { a: ["[LAB]", "[END]"], "lab/x": ["1"], "lab/y": ["2"] }, "office");
    expect(linesOf(ended)).toEqual([
      "office – entry a true",
      "office a sub_crew lab true",
      "office/lab – entry x true",
      "office/lab x fallback y true",
      "office lab sub_crew a true a > lab > a",
    ]);
    const no = { error: { status: 400, message: "no" } };
    const failed = await recordsOf(files, { a: ["[LAB]", "[END]"], "lab/x": ["1"], "lab/y": [no] }, "office");
    expect(linesOf(failed)).toEqual([
      "office – entry a true",
      "office a sub_crew lab false",
      "office/lab – entry x false",
      "office/lab x fallback y false",
      "office lab sub_crew a true a > lab > a",
    ]);
  });

  it("do not count the time that a run is paused, and are none while it is", async () => {
    const files = {
      "crew.yaml": crewYaml(
        "routing: { agent_behaviors: { a: { wait_for_signal: true } } }\nsettings: { on_no_signal: pause }",
        "a",
      ),
      ...agentFiles({ a: "temperature: 0" }),
    };
    const { crew } = loadWrittenCrew(files);
    const events = await playOn(crew, { a: ["well?"] });
    expect(listHandoffRecords(events)).toEqual([]);
    const [last] = events.slice(-1);
    if (last === undefined) throw new Error("there are events");
    const later = (type: string, data: unknown, seconds: number) =>
      ({
        ...last,
        seq: (last.seq ?? 0) + seconds,
        ts: last.ts + seconds * 1000,
        path: "",
        agent: undefined,
        type,
        data,
      }) as BatonEvent;
    const end = [
      later("run.resumed", { input: "x" }, 60),
      later("run.completed", { stopReason: "answer", output: "", finalAgent: "a" }, 61),
    ];
    const [entry] = listHandoffRecords([...events, ...end]);
    expect(entry).toMatchObject({ to: "a", ms: 1000, isSuccess: true });
  });

  it("tell of inputs whose beginner was chosen for want of a better one", async () => {
    const { crew } = loadWrittenCrew(pair);
    const [started, ...rest] = await playOn(crew, { a: ["[B]"], b: ["[END]"] });
    const unsure = {
      ...started,
      type: "classification",
      data: { agent: "a", low_confidence: true },
    } as unknown as BatonEvent;
    if (started === undefined) throw new Error("a run has at least one event");
    const [entry, handoff] = listHandoffRecords([started, unsure, ...rest]);
    expect([entry?.unmatched, handoff?.unmatched]).toEqual(["low_confidence", undefined]);
  });

  it("are none of what is no run", () => {
    expect(listHandoffRecords([])).toEqual([]);
  });

  it("name no more of a long way round than can be read", async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `a${index}`);
    const signals = ids.map((id, index) => `${id}: [{ signal: "[NEXT]", target: ${ids[(index + 1) % 12]} }]`);
    const files = {
      "crew.yaml": crewYaml(
        `routing: { signals: { ${signals.join(", ")} } }\nsettings: { max_handoffs: 12 }`,
        ids.join(", "),
      ),
      ...agentFiles(Object.fromEntries(ids.map((id) => [id, "temperature: 0"]))),
    };
    const script = Object.fromEntries(ids.map((id) => [id, ["[NEXT]", "[NEXT]"]]));
    expect((await recordsOf(files, script)).at(-1)?.loop).toBe("a0 > a1 > a2 > a3 > a4 > a5 > a6 > 5 more > a0");
  });
});
