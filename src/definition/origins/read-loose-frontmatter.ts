import { agentShape } from "../agent-shape.ts";
import { parseYaml } from "../parse-yaml.ts";
import { type Reporter, silentReporter } from "../problem-log.ts";
import { indentBySpaces, placeIn, type Source, type Span } from "../source.ts";
import type { MapEntry, MapNode } from "../yaml-node.ts";
import { claudeKeys } from "./claude-code.ts";
import { copilotKeys } from "./copilot.ts";
import { opencodeKeys } from "./opencode.ts";
import { bookkeepingKeys } from "./product-keys.ts";

/** Frontmatter with texts that YAML cannot read, and where those are. */
export interface LooseFrontmatter {
  readonly tree: MapNode;
  /** The keys whose texts are taken as they stand. */
  readonly unquoted: readonly MapEntry[];
  /** Keys that are given a second time, which does not count. */
  readonly repeated: readonly MapEntry[];
}

const known: ReadonlySet<string> = new Set([
  ...(agentShape.keys ?? []),
  ...claudeKeys,
  ...copilotKeys,
  ...opencodeKeys,
  ...bookkeepingKeys,
]);

/**
 * Reads frontmatter that is not YAML key by key, as products do: a part that YAML cannot read is the text behind its key. A key that no
 * agent has belongs to the text above it. Undefined where it does not begin with a key.
 */
export function readLooseFrontmatter(source: Source, range: Span): LooseFrontmatter | undefined {
  const parts = splitByKeys(source, range);
  if (parts === undefined) return undefined;
  const entries: MapEntry[] = [];
  const unquoted: MapEntry[] = [];
  const repeated: MapEntry[] = [];
  const seen = new Set<string>();
  for (const part of parts) {
    const read = readPart(source, part);
    const found = read ?? [takeText(source, part)];
    for (const entry of found) {
      if (seen.has(entry.key)) repeated.push(entry);
      else {
        seen.add(entry.key);
        entries.push(entry);
        if (read === undefined) unquoted.push(entry);
      }
    }
  }
  return { tree: { kind: "map", entries, span: range }, unquoted, repeated };
}

/** Says which texts have to be quoted, and which keys do not count. */
export function reportLoose({ unquoted, repeated }: LooseFrontmatter, source: Source, reporter: Reporter): void {
  for (const { key, keySpan } of unquoted) {
    const message = `quote the text of '${key}', or write it below '${key}: |' and indent it: to YAML it is not text; it is read as it stands`;
    reporter.report("read-as", placeIn(source, keySpan), message);
  }
  for (const { key, keySpan } of repeated)
    reporter.report("read-as", placeIn(source, keySpan), `key '${key}' is given twice; the first one counts`);
}

interface Part extends Span {
  readonly key: string;
}

function splitByKeys(source: Source, { start, end }: Span): Part[] | undefined {
  const lines = source.text.slice(start, end).matchAll(/^([A-Za-z][\w-]*):(?=[ \t\r]|$)/gm);
  const heads = [...lines].flatMap(({ 1: key = "", index }) => (known.has(key) ? { key, start: start + index } : []));
  const [first] = heads;
  if (first === undefined || source.text.slice(start, first.start).trim() !== "") return undefined;
  return heads.map((head, index) => ({ ...head, end: heads[index + 1]?.start ?? end }));
}

function readPart(source: Source, part: Part): readonly MapEntry[] | undefined {
  const entries = parsePart(source, part);
  if (entries !== undefined || !/^\s*\t/m.test(source.text.slice(part.start, part.end))) return entries;
  return parsePart(indentBySpaces(source), part);
}

function parsePart(source: Source, part: Part): readonly MapEntry[] | undefined {
  const problems: string[] = [];
  const reporter: Reporter = { ...silentReporter, report: (code) => void problems.push(code) };
  const node = parseYaml(source, part, reporter);
  const isWhole = problems.length === 0 && node?.kind === "map" && node.entries.length > 0;
  return isWhole ? node.entries : undefined;
}

function takeText(source: Source, { key, start, end }: Part): MapEntry {
  const keySpan = { start, end: start + key.length };
  const behind = source.text.slice(keySpan.end + 1, end);
  const written = behind.trim();
  const from = keySpan.end + 1 + behind.indexOf(written);
  // Who writes a long text in one line writes its ends of lines as \n.
  const value = written.replaceAll("\\n", "\n");
  return { key, keySpan, value: { kind: "scalar", value, written, span: { start: from, end: from + written.length } } };
}
