import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readMap } from "../definition/agent-file.ts";
import { checkCrew } from "../definition/check-crew.ts";
import { silentReporter } from "../definition/problem-log.ts";
import { createSource } from "../definition/source.ts";
import { splitFrontmatter } from "../definition/split-frontmatter.ts";
import type { YamlNode } from "../definition/yaml-node.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import type { Decision, ImportPlan, Plain, PlainMap, PlannedAgent, PlannedCrew } from "./crew-plan.ts";
import { proposeFor } from "./propose.ts";
import { type CrewText, nameAgents, renderCrews } from "./render-crew.ts";

/** A plan whose crew is checked, and the files that it becomes. */
export interface CheckedPlan {
  readonly plan: ImportPlan;
  readonly texts: readonly CrewText[];
  /** What `baton check` says of the crew. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One mistake may hide another; more rounds than these are no use. */
const MAX_ROUNDS = 25;

/** Checks the crew of a plan as if it were written, and takes out what is an error, each time with a decision that says so. */
export function repairPlan(given: ImportPlan): CheckedPlan {
  let plan = given;
  for (let round = 0; ; round++) {
    const texts = renderCrews(plan);
    const diagnostics = checkTexts(texts);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const repaired = round < MAX_ROUNDS && errors.length > 0 ? takeOut(errors, texts, plan) : undefined;
    if (repaired === undefined) return { plan, texts, diagnostics };
    plan = repaired;
  }
}

/** What `baton check` says of files, which are written into a folder of their own for as long as that takes. */
function checkTexts(texts: readonly CrewText[]): readonly Diagnostic[] {
  const scratch = mkdtempSync(join(tmpdir(), "baton-import-"));
  try {
    for (const { path, text } of texts) {
      mkdirSync(dirname(join(scratch, path)), { recursive: true });
      writeFileSync(join(scratch, path), text);
    }
    return checkCrew(scratch, { workingDirectory: scratch, root: scratch }).diagnostics;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The plan without what the errors are about; undefined where nothing can be taken out. */
function takeOut(errors: readonly Diagnostic[], texts: readonly CrewText[], plan: ImportPlan): ImportPlan | undefined {
  const decisions: Decision[] = [];
  const crews = plan.crews.map((crew) => {
    const ofFile = (path: string) =>
      errors.filter(({ file }) => file === (crew.folder === "" ? path : `${crew.folder}/${path}`));
    const inFile = (path: string) =>
      texts.find((each) => each.path === (crew.folder === "" ? path : `${crew.folder}/${path}`))?.text ?? "";
    const names = nameAgents(crew.agents);
    const keys = clean(crew.keys, ofFile("crew.yaml"), inFile("crew.yaml"), (error, what) =>
      decisions.push(decide(error, what, { file: plan.sources[0] ?? "", line: 1 })),
    );
    const agents = crew.agents.map((agent): PlannedAgent => {
      const path = `agents/${names.get(agent.id)}.md`;
      const found = ofFile(path);
      if (found.length === 0) return agent;
      const kept = clean(agent.keys, found, inFile(path), (error, what) =>
        decisions.push(decide(error, what, agent.from)),
      );
      return kept === agent.keys ? agent : { ...agent, keys: kept };
    });
    const isSame = keys === crew.keys && agents.every((agent, index) => agent === crew.agents[index]);
    return isSame ? crew : ({ ...crew, keys, agents } satisfies PlannedCrew);
  });
  if (decisions.length === 0) return undefined;
  return { ...plan, crews, notes: { ...plan.notes, decisions: [...plan.notes.decisions, ...decisions] } };
}

function decide({ file, message, code }: Diagnostic, what: string, from: { file: string; line: number }): Decision {
  return { ...from, what: `\`${what}\` is left out of ${file}: ${message}`, proposal: proposeFor(code, file) };
}

/** What a crew cannot be without. */
const needed: ReadonlySet<string> = new Set(["version", "name", "agents"]);

function clean(
  keys: PlainMap,
  errors: readonly Diagnostic[],
  text: string,
  onTaken: (error: Diagnostic, what: string) => void,
): PlainMap {
  const source = createSource("crew", text);
  const parts = text.startsWith("---") ? splitFrontmatter(source, silentReporter) : undefined;
  const range = parts?.frontmatter ?? { start: 0, end: text.length };
  const tree = readMap(source, range, silentReporter);
  const taken = new Set<string>();
  const paths = errors.flatMap((error) => {
    const path = tree === undefined ? [] : cutAtItem(findPath(tree, offsetOf(text, error)));
    const key = path.join("\u0000");
    if (path.length === 0 || (path.length === 1 && needed.has(String(path[0]))) || taken.has(key)) return [];
    taken.add(key);
    onTaken(error, path.filter((step) => typeof step === "string").join("."));
    return [path];
  });
  // From the end, so that the positions of what stands before it stay.
  const sorted = paths.toSorted((a, b) => comparePaths(b, a));
  return sorted.reduce<PlainMap>((map, path) => removeAt(map, path) as PlainMap, keys);
}

function offsetOf(text: string, { line, column }: Diagnostic): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}

type Path = readonly (string | number)[];

/** The keys and positions that lead to what stands at an offset. */
function findPath(node: YamlNode, offset: number): Path {
  if (node.kind === "map") {
    const entry = node.entries.findLast(({ keySpan }) => keySpan.start <= offset);
    if (entry === undefined) return [];
    return offset >= entry.value.span.start && offset < entry.value.span.end
      ? [entry.key, ...findPath(entry.value, offset)]
      : [entry.key];
  }
  if (node.kind === "scalar") return [];
  const index = node.items.findLastIndex(({ span }) => span.start <= offset);
  const item = node.items[index];
  return item === undefined ? [] : [index, ...findPath(item, offset)];
}

/** A path to the innermost item of a list: half a binding would say something else. */
function cutAtItem(path: Path): Path {
  const last = path.findLastIndex((step) => typeof step === "number");
  return last === -1 ? path : path.slice(0, last + 1);
}

function comparePaths(a: Path, b: Path): number {
  for (const [index, step] of a.entries()) {
    const other = b[index];
    if (typeof step === "number" && typeof other === "number" && step !== other) return step - other;
  }
  return a.length - b.length;
}

function removeAt(value: Plain, [step, ...rest]: Path): Plain {
  if (step === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const list: readonly Plain[] = value;
    return rest.length === 0
      ? list.filter((_, index) => index !== step)
      : list.map((item, index) => (index === step ? removeAt(item, rest) : item));
  }
  const entries = Object.entries(value as PlainMap).flatMap(([key, each]): [string, Plain | undefined][] => {
    if (key !== step) return [[key, each]];
    return rest.length === 0 || each === undefined ? [] : [[key, removeAt(each, rest)]];
  });
  return Object.fromEntries(entries);
}
