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
import type {
  Decision,
  ImportPlan,
  MappedKey,
  Notes,
  OriginalPlace,
  Plain,
  PlainMap,
  PlannedAgent,
  PlannedCrew,
} from "./crew-plan.ts";
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
  const taken: Taken[] = [];
  const cleanFile = (keys: PlainMap, path: string, from: OriginalPlace): PlainMap => {
    const ofFile = errors.filter(({ file }) => file === path);
    if (ofFile.length === 0) return keys;
    const text = texts.find((each) => each.path === path)?.text ?? "";
    return clean(keys, ofFile, text, (error, where) => taken.push({ error, path: where, from }));
  };
  const crews = plan.crews.map((crew): PlannedCrew => {
    const inside = (path: string) => (crew.folder === "" ? path : `${crew.folder}/${path}`);
    const names = nameAgents(crew.agents);
    const keys = cleanFile(crew.keys, inside("crew.yaml"), { file: plan.sources[0] ?? "", line: 1 });
    const agents = crew.agents.map((agent): PlannedAgent => {
      const kept = cleanFile(agent.keys, inside(`agents/${names.get(agent.id)}.md`), agent.from);
      return kept === agent.keys ? agent : { ...agent, keys: kept };
    });
    return { ...crew, keys, agents };
  });
  return taken.length === 0 ? undefined : { ...plan, crews, notes: noteTaken(taken, plan.notes) };
}

/** Something that was taken out of a file because of an error. */
interface Taken {
  readonly error: Diagnostic;
  readonly path: Path;
  /** Where its file comes from. */
  readonly from: OriginalPlace;
}

/** What was said to be mapped and is not after all, is a decision in its place. */
function noteTaken(taken: readonly Taken[], notes: Notes): Notes {
  const gone = new Set<MappedKey>();
  const decisions = taken.map(({ error: { file, message, code }, path, from }): Decision => {
    const what = path.filter((step) => typeof step === "string").join(".");
    const found = notes.mapped.filter(({ is }) => is === `\`${what}\` in ${file}`);
    const index = path.at(-1);
    const original = found[typeof index === "number" ? index : 0] ?? found[0];
    // Of a list in one line only an item is gone; a binding has a line of its own.
    const isWhole = typeof index !== "number" || original?.was.startsWith("{");
    if (original !== undefined && isWhole) gone.add(original);
    const { file: place, line } = original ?? from;
    const said = `\`${what}\` is left out of ${file}: ${message}`;
    return { file: place, line, what: said, proposal: proposeFor(code, file) };
  });
  const mapped = notes.mapped.filter((each) => !gone.has(each));
  return { ...notes, mapped, decisions: [...notes.decisions, ...decisions] };
}

/** What a crew cannot be without. */
const needed: ReadonlySet<string> = new Set(["version", "name", "agents"]);

function clean(
  keys: PlainMap,
  errors: readonly Diagnostic[],
  text: string,
  onTaken: (error: Diagnostic, path: Path) => void,
): PlainMap {
  const source = createSource("crew", text);
  const parts = text.startsWith("---") ? splitFrontmatter(source, silentReporter) : undefined;
  const range = parts?.frontmatter ?? { start: 0, end: text.length };
  const tree = readMap(source, range, silentReporter);
  const taken = new Set<string>();
  const paths = errors.flatMap((error) => {
    const path = tree === undefined ? [] : cutAtItem(findPath(tree, findOffset(text, error)));
    const key = path.join("\u0000");
    if (path.length === 0 || (path.length === 1 && needed.has(String(path[0]))) || taken.has(key)) return [];
    taken.add(key);
    onTaken(error, path);
    return [path];
  });
  // From the end, so that the positions of what stands before it stay.
  const sorted = paths.toSorted((a, b) => comparePaths(b, a));
  return sorted.reduce<PlainMap>((map, path) => removeAt(map, path) as PlainMap, keys);
}

function findOffset(text: string, { line, column }: Diagnostic): number {
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
