import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type LocatedDefinition, locateDefinition } from "../../definition/load-definition.ts";
import { writeYaml } from "../../definition/write-yaml.ts";
import type { Ability } from "../../flow/coverage/coverage-item.ts";
import { listCoverageItems } from "../../flow/coverage/list-coverage-items.ts";
import { findShownAbilities } from "../../views/coverage/shown-abilities.ts";
import { buildResult } from "../../views/run-result.ts";
import type { Crew } from "../../vocabulary/crew.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { judge } from "../judge.ts";
import { playScenario } from "../play-scenario.ts";
import { parseScenario } from "../read-scenario.ts";
import { type Completed, completePlan, listGivenTools } from "./complete-plan.ts";
import { planAbility } from "./plan-ability.ts";
import { shortenReply } from "./write-reply.ts";

/** A crew whose scenarios leave something out. */
export interface LackingCrew {
  /** Where the crew is loaded from. */
  readonly path: string;
  /** The folder for its scenarios. */
  readonly folder: string;
  /** The names of the items that no scenario shows. */
  readonly missing: readonly string[];
}

/** A scenario that leads to something that no other shows. */
export interface Suggestion {
  readonly item: string;
  readonly file: string;
  readonly text: string;
}

/** Scenarios for what is missing, and what no way was found to. */
export interface Suggestions {
  readonly scenarios: readonly Suggestion[];
  readonly unreached: readonly string[];
}

/**
 * Writes a scenario for each missing item, whose script leads there by the shortest way. Each is played: only one that passes and
 * shows its item is suggested. An item that an earlier suggestion shows needs none of its own.
 */
export async function suggestScenarios({ path, folder, missing }: LackingCrew): Promise<Suggestions> {
  const workingDirectory = dirname(path);
  const first = locateDefinition(path, { workingDirectory }).crew;
  if (first === undefined) return { scenarios: [], unreached: missing };
  const tools = listGivenTools(first).map(([name]) => name);
  const definition = locateDefinition(path, { workingDirectory, tools });
  const { crew = first, isSet } = definition;
  const items = listCoverageItems(crew, (at) => isSet(crew, at)).filter(({ name }) => missing.includes(name));
  const shown = new Set<string>();
  const scenarios: Suggestion[] = [];
  const unreached: string[] = [];
  for (const { name, ability } of items) {
    if (shown.has(name)) continue;
    const file = chooseFile(folder, crew.name, name, scenarios);
    const written = await writeScenario(crew, ability, { item: name, path, file, definition });
    if (written === undefined) unreached.push(name);
    else {
      scenarios.push({ item: name, file, text: written.text });
      for (const each of written.shows) shown.add(each);
    }
  }
  return { scenarios, unreached };
}

interface Target {
  readonly item: string;
  readonly path: string;
  readonly file: string;
  readonly definition: LocatedDefinition;
}

async function writeScenario(
  crew: Crew,
  ability: Ability,
  { item, path, file, definition }: Target,
): Promise<{ readonly text: string; readonly shows: ReadonlySet<string> } | undefined> {
  const plan = planAbility(crew, ability);
  const completed = plan && (await completePlan(plan, file, relative(dirname(file), path) || ".", definition));
  if (completed === undefined) return undefined;
  const shows = findShown(completed.played.crew, completed.played.events);
  if (!shows.has(item)) return undefined;
  const text = formatScenario(item, completed);
  const read = parseScenario(file, text);
  if (!("scenario" in read) || read.scenario.expect === undefined) return undefined;
  const problems = judge(await playScenario(read.scenario), read.scenario.expect, read.scenario.script);
  return problems.length === 0 ? { text, shows } : undefined;
}

function findShown(crew: Crew | undefined, events: readonly BatonEvent[] = []): ReadonlySet<string> {
  return (crew && findShownAbilities(crew, events).get("")) ?? new Set();
}

function formatScenario(item: string, { draft, played }: Completed): string {
  const { status, stopReason, path } = buildResult(played.events ?? []);
  const head = [
    `# Written by 'baton test --suggest' to show: ${item}`,
    "# It passes as it is. Replace each TODO, check what it expects, and delete 'unfilled': then it counts.",
  ];
  const script = Object.fromEntries(Object.entries(draft.script).map(([agent, all]) => [agent, all.map(shortenReply)]));
  const scenario = {
    name: `TODO: say what must happen (${item})`,
    unfilled: true,
    ...draft,
    script,
    expect: { status, stopReason, path },
  };
  return `${head.join("\n")}\n${writeYaml(scenario)}`;
}

/** A name that is not taken, in the folder or by another suggestion. */
function chooseFile(folder: string, crew: string, item: string, taken: readonly Suggestion[]): string {
  const base = `todo-${crew}-${item}`
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  for (let n = 1; ; n++) {
    const file = resolve(join(folder, `${base}${n === 1 ? "" : `-${n}`}.scenario.yaml`));
    if (!existsSync(file) && !taken.some((each) => each.file === file)) return file;
  }
}
