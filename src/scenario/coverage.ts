import { dirname, relative, resolve } from "node:path";
import type { LocatedDefinition } from "../definition/load-definition.ts";
import type { CoverageKind } from "../flow/coverage/coverage-item.ts";
import { listCoverageItems } from "../flow/coverage/list-coverage-items.ts";
import { findShownAbilities } from "../views/coverage/shown-abilities.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { createInlineLines } from "./inline-lines.ts";
import type { Played } from "./play-scenario.ts";
import type { Scenario } from "./read-scenario.ts";

/** Something that a crew can do, and the scenarios that show it. */
export interface CoveredItem {
  readonly name: string;
  readonly kind: CoverageKind;
  readonly file: string;
  readonly line: number;
  /** Whether a scenario that somebody wrote or filled in shows it. */
  readonly covered: boolean;
  /** The files of the scenarios that show it. */
  readonly by: readonly string[];
  /** Whether only scenarios show it that `--suggest` wrote and nobody has filled in. */
  readonly unfilled: boolean;
}

/** What the scenarios of a crew show of it. */
export interface CrewCoverage {
  readonly crew: string;
  /** Of all items, those that are covered: 100 only if none is missing. */
  readonly percent: number;
  readonly items: readonly CoveredItem[];
}

/** What one scenario shows of one crew. A crew is known by its file, whoever calls it. */
export interface CrewShown {
  readonly id: string;
  /** Where the crew is loaded from; undefined if it is written in the scenario. */
  readonly path: string | undefined;
  readonly crew: string;
  readonly items: readonly Pick<CoveredItem, "name" | "kind" | "file" | "line">[];
  readonly shown: ReadonlySet<string>;
}

/** Finds what a scenario that was played shows of its crew and of all crews below it. */
export function findShown(scenario: Scenario, played: Played, workingDirectory: string): CrewShown[] {
  const { crew, events = [], definition } = played;
  if (crew === undefined || played.events === undefined) return [];
  const shown = findShownAbilities(crew, events);
  const show = createPlaces(scenario, played, workingDirectory);
  const crews = [...listDistinctCrews(crew)];
  return crews.map((each) => {
    const places = [...shown].filter(([place]) => findCrewAt(crew, place) === each);
    const names = new Set(places.flatMap(([, all]) => [...all]));
    return { ...describeCrew(each, definition, scenario, show), shown: names };
  });
}

/** Each crew once, however many call it. */
function listDistinctCrews(crew: Crew, known = new Set<Crew>()): ReadonlySet<Crew> {
  if (known.has(crew)) return known;
  known.add(crew);
  for (const { crew: below } of crew.subCrews.values()) listDistinctCrews(below, known);
  return known;
}

function findCrewAt(crew: Crew, place: string): Crew | undefined {
  if (place === "") return crew;
  return place.split("/").reduce<Crew | undefined>((at, name) => at?.subCrews.get(name)?.crew, crew);
}

type Show = (file: string, line: number) => { readonly file: string; readonly line: number };

function describeCrew(crew: Crew, definition: LocatedDefinition, scenario: Scenario, show: Show) {
  const file = definition.fileOf(crew) ?? scenario.file;
  const id = scenario.files === undefined ? file : `${scenario.file} ${show(file, 1).file} ${crew.name} ${file}`;
  const items = listCoverageItems(crew, (at) => definition.isSet(crew, at)).map(({ name, ability: { kind }, at }) => {
    const place = definition.locatePlace(crew, at);
    return { name, kind, ...show(place?.file ?? file, place?.line ?? 1) };
  });
  const path = scenario.files === undefined ? findPath(crew, scenario, file, definition) : undefined;
  return { id, path, crew: crew.name, items };
}

/** A sub-crew is loaded by its own crew.yaml, without the crew that calls it. */
function findPath(crew: Crew, { file: of, run = "." }: Scenario, file: string, definition: LocatedDefinition): string {
  return crew === definition.crew ? resolve(dirname(of), run) : dirname(file);
}

/** Places as the reader knows them. Those of a crew inline are lines of the scenario. */
function createPlaces(scenario: Scenario, { folder }: Played, workingDirectory: string): Show {
  if (scenario.files === undefined)
    return (file, line) => ({ file: relative(workingDirectory, resolve(folder, file)), line });
  const lineOf = createInlineLines(scenario.file);
  return (file, line) => ({
    file: relative(workingDirectory, scenario.file),
    line: lineOf(relative(folder, resolve(folder, file)), line),
  });
}

/** One scenario that passed, with what it shows. */
export interface ShownBy {
  readonly file: string;
  readonly isUnfilled: boolean;
  readonly crews: readonly CrewShown[];
}

/** Adds up what scenarios show, crew by crew. */
export function sumCoverage(scenarios: readonly ShownBy[]): CrewCoverage[] {
  const byCrew = Map.groupBy(
    scenarios.flatMap(({ crews, ...by }) => crews.map((each) => ({ ...each, ...by }))),
    ({ id }) => id,
  );
  return [...byCrew.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const items = first.items.map((item): CoveredItem => {
      const by = all.filter(({ shown }) => shown.has(item.name));
      const isFilled = by.some(({ isUnfilled }) => !isUnfilled);
      const files = by.map(({ file }) => file);
      return { ...item, covered: isFilled, by: files, unfilled: by.length > 0 && !isFilled };
    });
    return [{ crew: first.crew, percent: computePercent(items), items }];
  });
}

function computePercent(items: readonly CoveredItem[]): number {
  const covered = items.filter((item) => item.covered).length;
  return items.length === 0 ? 100 : Math.floor((1000 * covered) / items.length) / 10;
}
