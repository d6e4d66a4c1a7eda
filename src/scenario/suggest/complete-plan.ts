import type { LocatedDefinition } from "../../definition/load-definition.ts";
import { writeYaml } from "../../definition/write-yaml.ts";
import { findGuardAt } from "../../flow/coverage/list-guards.ts";
import { findNearestEnd, measureDistances } from "../../flow/coverage/shortest-way.ts";
import { CrewLines, findOuterPath } from "../../views/coverage/crew-lines.ts";
import type { Agent, Crew } from "../../vocabulary/crew.ts";
import { type BatonEvent, type EventOf, nameSpeaker } from "../../vocabulary/events.ts";
import { type Played, playScenario } from "../play-scenario.ts";
import { parseScenario, type Scenario } from "../read-scenario.ts";
import { nameVerdict, Plan } from "./scenario-plan.ts";
import { type Reply, writeAnswer, writeTransition } from "./write-reply.ts";

/** What is written of a scenario before it is known how it ends. */
interface Draft {
  readonly run: string;
  readonly input: string;
  readonly script: Readonly<Record<string, readonly Reply[]>>;
  readonly tools?: Readonly<Record<string, object>>;
  readonly resume?: readonly object[];
}

/** A plan that was played to its end. */
export interface Completed {
  readonly draft: Draft;
  readonly scenario: Scenario;
  readonly played: Played;
}

/** More replies than this make no scenario that somebody wants to fill in. */
const MAX_REPLIES = 400;
const MAX_ANSWERS = 120;

/**
 * Plays a plan, and adds whatever the run still needs, until the run ends: replies that lead to an end of the run by the shortest way,
 * and answers to its pauses. Undefined if the crew does not load, or if no end comes.
 */
export async function completePlan(
  plan: Plan,
  file: string,
  run: string,
  definition: LocatedDefinition,
): Promise<Completed | undefined> {
  const script = new Map<string, Reply[]>(listScriptedFunctions(plan));
  const resume: object[] = [];
  const endings = new Endings(plan.crew);
  for (let replies = 0; replies < MAX_REPLIES; ) {
    const draft = createDraft(plan, run, script, resume);
    const read = parseScenario(file, writeYaml({ ...draft, expect: {} }));
    if (!("scenario" in read)) return undefined;
    const played = await playScenario(read.scenario, { loaded: definition });
    const { events } = played;
    if (events === undefined) return undefined;
    const exhausted = findExhausted(events);
    if (exhausted !== undefined) {
      const name = nameSpeaker(exhausted);
      script.set(name, [...(script.get(name) ?? []), findReply(plan, exhausted, events, endings)]);
      replies++;
      continue;
    }
    const last = events.at(-1);
    const answer =
      last?.type === "run.paused" && resume.length < MAX_ANSWERS ? findAnswer(plan, last, endings) : undefined;
    if (answer === undefined) return { draft, scenario: read.scenario, played };
    resume.push(answer);
  }
  return undefined;
}

/** Functions answer for themselves unless the script does from the start. */
function listScriptedFunctions({ crew, replies }: Plan): [string, Reply[]][] {
  return [...replies].flatMap(([name, lines]): [string, Reply[]][] => {
    const own = findAgent(crew, name);
    if (own?.function === undefined) return [];
    return [[name, [...lines.line.splice(0), ...lines.called.splice(0)]]];
  });
}

function createDraft(
  { input, tools, crew }: Plan,
  run: string,
  script: ReadonlyMap<string, readonly Reply[]>,
  resume: readonly object[],
): Draft {
  const given = new Map([...listGivenTools(crew), ...tools]);
  return {
    run,
    input,
    script: Object.fromEntries(script),
    ...(given.size > 0 && { tools: Object.fromEntries(given) }),
    ...(resume.length > 0 && { resume: [...resume] }),
  };
}

/** Tools that no file of the crew declares must be declared by its scenarios. */
export function listGivenTools(crew: Crew): [string, object][] {
  const names = [...crew.agents.values()].flatMap(({ tools }) => tools);
  const undeclared = names.filter((name) => !crew.tools.has(name) && !name.includes("__"));
  return [...new Set(undeclared)].map((name) => [name, { result: `TODO: what ${name} gives` }]);
}

function findExhausted(events: readonly BatonEvent[]): BatonEvent | undefined {
  return events.find(
    (event) =>
      (event.type === "model.failed" && event.data.code === "script_exhausted") ||
      (event.type === "function.failed" && event.data.message.startsWith("the script has ")),
  );
}

/** What the plan has for an agent there; else what brings the run to its end. */
function findReply(plan: Plan, event: BatonEvent, events: readonly BatonEvent[], endings: Endings): Reply {
  const lines = new CrewLines(plan.crew);
  for (const each of events) if (each.type === "crew.entered") lines.enter(each);
  const { crew } = lines.of(event);
  const path = event.path.replace(/\/t\d+(\/.*)?$/, "");
  const verdict = findVerdict(plan, crew, path, events);
  if (verdict !== undefined) return verdict;
  const isOnLine = lines.isOnLine({ path });
  const planned = plan.replies.get(nameSpeaker(event)) ?? plan.replies.get(event.agent ?? "");
  const next = (isOnLine ? planned?.line : planned?.called)?.shift();
  if (next !== undefined) return next;
  const agent = crew.agents.get(event.agent ?? "");
  if (agent === undefined) return { text: "TODO: an answer" };
  return (isOnLine ? endings.of(crew, agent) : undefined) ?? writeAnswer(agent);
}

/** What an agent says that judges a text for a guard: what is planned, else that it may pass. Undefined for all other agents. */
function findVerdict(plan: Plan, crew: Crew, path: string, events: readonly BatonEvent[]): Reply | undefined {
  const outer = findOuterPath(path);
  const judged = events.find((event) => event.type === "agent.started" && event.path === outer)?.agent;
  const declared = findGuardAt(crew, judged, path);
  if (declared === undefined) return undefined;
  const name = nameVerdict(declared);
  const planned = crew === plan.crew ? plan.verdicts.get(name) : undefined;
  if (planned !== undefined) plan.verdicts.delete(name);
  return planned ?? { text: JSON.stringify({ verdict: "pass" }) };
}

/** What agents say to come to an end of the run. */
class Endings {
  readonly #byCrew = new Map<Crew, { readonly plan: Plan; readonly distances: ReadonlyMap<string, number> }>();

  constructor(crew: Crew) {
    this.#open(crew);
  }

  of(crew: Crew, agent: Agent): Reply | undefined {
    const { plan, distances } = this.#open(crew);
    const transition = findNearestEnd(agent.id, plan.map, distances);
    return transition && writeTransition(crew, agent, transition)[0];
  }

  canEnd(crew: Crew, agent: string): boolean {
    const { plan, distances } = this.#open(crew);
    return findNearestEnd(agent, plan.map, distances) !== undefined;
  }

  #open(crew: Crew) {
    const plan = new Plan(crew);
    const known = this.#byCrew.get(crew) ?? { plan, distances: measureDistances(plan.map) };
    this.#byCrew.set(crew, known);
    return known;
  }
}

/** What the plan answers to a pause; else what lets the run go on. A run that could only pause for ever stays paused. */
function findAnswer(plan: Plan, { data }: EventOf<"run.paused">, endings: Endings): object | undefined {
  const { agent: name, options, reason } = data;
  const planned = plan.answers.get(name)?.shift();
  if (planned !== undefined) return planned;
  const isPlanned = (plan.replies.get(name)?.line.length ?? 0) > 0;
  const agent = name.slice(name.lastIndexOf("/") + 1);
  // What a guard of the crew asks is nobody's question.
  const canGoOn = isPlanned || name === "" || name.includes("/") || endings.canEnd(plan.crew, agent);
  if (!canGoOn || reason === "quota") return undefined;
  if (options.includes("approve")) return { decision: "approve" };
  if (options.includes("external")) return { external: "TODO: the response" };
  return { input: "TODO: what the human says" };
}

function findAgent(crew: Crew, name: string): Agent | undefined {
  const [agent = "", ...places] = name.split("/").reverse();
  const at = places.reverse().reduce<Crew | undefined>((of, place) => of?.subCrews.get(place)?.crew, crew);
  return at?.agents.get(agent);
}
