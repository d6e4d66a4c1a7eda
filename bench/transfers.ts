import { frameInMarkdown } from "../src/context/frame.ts";
import { type CrewHandle, defineAgent, defineCrew, type Model, type ModelRequest } from "../src/index.ts";
import type { Question } from "../src/orchestration/agent-call.ts";
import { beginCrew } from "../src/orchestration/begin-crew.ts";
import { openCrewRun } from "../src/orchestration/open-crew-run.ts";
import { callAgent } from "../src/orchestration/patterns/chain.ts";
import { readDeclarations } from "../src/orchestration/patterns/handoff-declaration.ts";
import { transferTools } from "../src/orchestration/patterns/transfer.ts";
import { transferSections } from "../src/orchestration/patterns/transfer-sections.ts";
import { createEntryRanker } from "../src/orchestration/rank-entries.ts";
import { SignalReader } from "../src/orchestration/read-signals.ts";
import { systemClock } from "../src/run/clock.ts";
import { Run } from "../src/run/run.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { cpuInTurns } from "./cpu-in-turns.ts";
import { chainCrew, fakeModel } from "./handoff-crew.ts";
import { cpuPerCall, type Figure, median, type Report } from "./report.ts";

const HOPS = 10;

/** What a transfer costs: against a handoff by signal in the same run, and its parts one by one. */
export async function measure(): Promise<Report> {
  return { figures: [...(await wholeFigures()), ...detectionFigures(), ...contextFigures()] };
}

async function wholeFigures(): Promise<Figure[]> {
  const signalled = chainCrew(HOPS, fakeModel(HOPS, 0));
  const called = transferCrew(callingModel);
  const declared = transferCrew(declaringModel);
  const ways = [signalled, called, declared].map((crew) => () => crew.run("go", { onEvent: () => {} }));
  const [signal = 0, tool = 0, text = 0] = (await cpuInTurns(ways, 1000)).map((each) => each / HOPS);
  return [
    { name: "a handoff by signal", value: signal, unit: "µs of CPU" },
    { name: "a transfer by tool", value: tool / 1000, unit: "ms of CPU", target: { atMost: 1 } },
    { name: "a transfer by tool", value: tool / signal, unit: "× by signal", target: { atMost: 8 } },
    { name: "a transfer by declaration", value: text / signal, unit: "× by signal", target: { atMost: 8 } },
  ];
}

const context = { zone: "shop-eu", records: ["a", "b", "c"], checked: true };
const declaration = `HANDOFF DECLARATION:\nTo: agent_1\nReason: cloud\nContext: ${JSON.stringify(context)}`;

const callingModel = modelOf((next) => ({
  text: "Here you are.",
  toolCalls: [{ name: `transfer_to_${next}`, args: { context, reason: "next" } }],
  finish: "tool-calls",
}));

const declaringModel = modelOf((next) => ({
  text: `Here you are.\n\n${declaration.replace("agent_1", next)}`,
  toolCalls: [],
  finish: "stop",
}));

/** Answers at once: the last agent plainly, the others by what leads to the next. */
function modelOf(pass: (next: string) => Awaited<ReturnType<Model["call"]>>): Model {
  const reply = ({ agent }: ModelRequest) => {
    const index = Number(agent.slice("agent_".length));
    if (index < HOPS - 1) return pass(`agent_${index + 1}`);
    return { text: "All done.", toolCalls: [], finish: "stop" as const };
  };
  return { name: "fake/instant", call: async (request) => reply(request) };
}

/** Agents in a row, each of which may transfer to the next. */
function transferCrew(model: Model): CrewHandle {
  const ids = Array.from({ length: HOPS }, (_, index) => `agent_${index}`);
  const agents = ids.map((id, index) =>
    defineAgent({ id, description: id, prompt: "Do your part.", collaborations: ids.slice(index + 1, index + 2) }),
  );
  return defineCrew(
    { name: "transfers", models: ["fake/instant"], entry_point: "agent_0", agents, settings: { max_handoffs: HOPS } },
    { models: { "fake/instant": model }, env: {} },
  );
}

function detectionFigures(): Figure[] {
  const answer = "The records are fine, and nobody changed them this week. ".repeat(36);
  return [
    figureOf("a tool call is taken as a transfer", callDetection(), 0.1),
    figureOf("a declaration at the end of 2 KB is found", () => readDeclarations(`${answer}\n\n${declaration}`), 0.1),
    figureOf("2 KB without one are looked through", () => readDeclarations(answer), 0.1),
  ];
}

/** Each time as the first: the third of the same would be refused. */
function callDetection(): () => unknown {
  const { definition: crew } = transferCrew(callingModel);
  const run = new Run({
    id: toRunId("run_bench"),
    clock: systemClock,
    recorded: [],
    onEvent: () => {},
    control: { isStopping: false, isAborted: false },
  });
  const world = {
    run,
    clock: systemClock,
    models: () => [callingModel],
    serverTools: () => [],
    tool: () => {
      throw new Error("no tools here");
    },
    signalReader: new SignalReader(),
    drawNonce: () => "",
    findFunction: () => undefined,
    external: async () => ({ failures: [] }),
    rankEntries: createEntryRanker(),
    callAgent,
    beginCrew,
  };
  const crewRun = openCrewRun(crew, world, run.scope, { path: "" });
  const agent = crew.agents.get("agent_0");
  if (agent === undefined) throw new Error("the crew lost its first agent");
  const place = { path: "0", agent: agent.id };
  const about = { input: "go", original: "go", callPath: "transfers/agent_0" };
  const question: Question = { ...about, agent, history: undefined, scope: run.scope, place };
  const reply = { text: "Here you are.", turns: 1, isWritten: false };
  return () => {
    crewRun.transfers = undefined;
    return transferTools(question, crewRun)[0]?.accept({ context }, reply, place);
  };
}

function contextFigures(): Figure[] {
  const transfer = { to: "agent_1", reason: "cloud", context, isWritten: false };
  const build = (work: string) => () =>
    frameInMarkdown(
      transferSections(transfer, {
        from: "agent_0",
        task: "The site is down",
        work,
        isSilent: work === "",
        given: [],
        earlier: undefined,
        workChars: 2000,
      }),
    );
  return [
    figureOf("an input is built of 10 KB of prior work", build("word ".repeat(2000)), 0.1),
    figureOf("an input is built of 1 MB of prior work", build("word ".repeat(200_000)), 0.1),
  ];
}

function figureOf(name: string, call: () => unknown, atMost: number): Figure {
  const rounds = Array.from({ length: 9 }, () => cpuPerCall(call));
  return { name, value: median(rounds), unit: "ms of CPU", target: { atMost } };
}
