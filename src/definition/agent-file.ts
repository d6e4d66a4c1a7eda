import { basename, extname } from "node:path";
import { hasAgentExtension, markdownExtensions } from "./agent-extensions.ts";
import type { AgentReading } from "./agent-reading.ts";
import { agentShape } from "./agent-shape.ts";
import { collectReferences, type Reference } from "./collect-references.ts";
import { type BodyCollaboration, findCollaborations } from "./find-collaborations.ts";
import { type ForeignFile, recognizeForeign } from "./foreign-file.ts";
import { placeOfKey } from "./locate.ts";
import { findBodyNotes, reportUnread } from "./origins/maia.ts";
import type { Origin } from "./origins/origin.ts";
import { readLooseFrontmatter, reportLoose } from "./origins/read-loose-frontmatter.ts";
import { recognizeProduct } from "./origins/recognize-product.ts";
import { type CrewNotes, type TranslatedAgent, translateMarkdown, translateYaml } from "./origins/translate-agent.ts";
import { parseYaml } from "./parse-yaml.ts";
import { type Reporter, silentReporter } from "./problem-log.ts";
import { readText } from "./read-text.ts";
import type { ValueOf } from "./shape.ts";
import { createSource, type Place, placeIn, type Source, type Span } from "./source.ts";
import { splitFrontmatter } from "./split-frontmatter.ts";
import { describeNode, type MapNode, type YamlNode } from "./yaml-node.ts";

/** An agent's file as read: its keys, its prompt, and the agents it names, which are not resolved. */
export interface AgentFile {
  readonly file: string;
  readonly id: string;
  readonly source: Source;
  readonly root: MapNode;
  readonly keys: ValueOf<typeof agentShape>;
  readonly prompt: string;
  /** Whether the prompt stands behind the frontmatter of a Markdown file. */
  readonly hasBody: boolean;
  readonly bodyCollaborations: readonly BodyCollaboration[];
  /** Every other agent that the file names. */
  readonly references: readonly Reference[];
  /** The system that the file was written for, if that is another one. */
  readonly origin: Origin | undefined;
  /** What the file says of the crew that it is in. */
  readonly crew: CrewNotes;
}

/** What products read beside agents. */
const instructions = /^(?:CLAUDE|AGENTS|GEMINI)\.md$|\.(?:instructions|prompt)\.md$/;

export function isAgentFileName(name: string): boolean {
  if (basename(name).toLowerCase() === "readme.md" || instructions.test(basename(name))) return false;
  return hasAgentExtension(name) && !/((^|\.)(crew|baton)|\.(scenario|script))\.ya?ml$/.test(basename(name));
}

/** Reads one agent file; undefined after reporting why it cannot be used at all. */
export function readAgentFile(file: string, reading: AgentReading): AgentFile | undefined {
  const result = readText(file, reading.root);
  if ("problem" in result) {
    reading.reporter.report(result.problem.code, { file }, `${basename(file)} ${result.problem.message}`);
    return undefined;
  }
  const source = createSource(file, result.text);
  return markdownExtensions.includes(extname(file)) ? readMarkdown(source, reading) : readYamlAgent(source, reading);
}

/** Where a problem of this agent stands, when it is not one of a single key. */
export function placeOfAgent(agent: AgentFile): Place {
  return placeIn(agent.source, { start: 0, end: 0 });
}

function readMarkdown(source: Source, reading: AgentReading): AgentFile | undefined {
  const { reporter } = reading;
  const parts = splitFrontmatter(source, reporter);
  if (parts === undefined) return undefined;
  const root = parts.frontmatter === undefined ? emptyMap() : readFrontmatter(source, parts.frontmatter, reading);
  if (root === undefined) return undefined;
  const text = source.text.slice(parts.bodyStart);
  const translated = translateMarkdown(source, root, parts.bodyStart, reading);
  // To a product a prompt is mere text.
  if (translated.origin?.callsByName) return assemble(source, translated, [], reporter);
  const notes = findBodyNotes(text, parts.bodyStart);
  reportUnread(notes, source, reporter);
  const agent = assemble(source, translated, findCollaborations(text, parts.bodyStart), reporter);
  const isDescribed =
    agent === undefined || (agent.keys.description ?? "").trim() !== "" || notes.purpose === undefined;
  return isDescribed ? agent : { ...agent, keys: { ...agent.keys, description: notes.purpose } };
}

/** The keys of a Markdown file. A file of another product may have texts that YAML cannot read. */
function readFrontmatter(source: Source, range: Span, { reporter, isLone }: AgentReading): MapNode | undefined {
  const found: Parameters<Reporter["report"]>[] = [];
  const tree = readMap(source, range, { ...silentReporter, report: (...each) => void found.push(each) });
  const loose = found.length > 0 && isLone ? readLooseFrontmatter(source, range) : undefined;
  if (loose !== undefined && (recognizeProduct(source.file, loose.tree) !== undefined || isBare(loose.tree))) {
    reportLoose(loose, source, reporter);
    return loose.tree;
  }
  for (const each of found) reporter.report(...each);
  return tree;
}

/** Whether an agent has a name and a description only, as files for any product may have. */
function isBare({ entries }: MapNode): boolean {
  return entries.length === 2 && entries.every(({ key }) => key === "name" || key === "description");
}

export function readYamlAgent(source: Source, reading: AgentReading): AgentFile | undefined {
  const tree = readMap(source, { start: 0, end: source.text.length }, reading.reporter);
  return tree && assemble(source, translateYaml(source, tree, reading), [], reading.reporter);
}

function assemble(
  source: Source,
  { root, body: text, origin, crew = {} }: TranslatedAgent,
  bodyCollaborations: readonly BodyCollaboration[],
  reporter: Reporter,
): AgentFile | undefined {
  const body = text?.trim();
  const foreign = body === undefined || body === "" ? foreignIn(root) : undefined;
  if (foreign !== undefined) {
    const name = basename(source.file);
    const place = placeIn(source, { start: 0, end: 0 });
    if (foreign.isReplies) reporter.report("not-an-agent", place, `${name} is left out: it is ${foreign.looksLike}`);
    else reporter.report("foreign-file", place, `${name} is ${foreign.looksLike}`);
    return undefined;
  }
  const keys = agentShape.read(root, "agent", { source, reporter, origin });
  if (keys === undefined) return undefined;
  const id = keys.id ?? idOfFile(source.file);
  const hasBody = body !== undefined && body !== "";
  if (hasBody && keys.system_prompt !== undefined) {
    const message = "the prompt is given under 'system_prompt' and behind the frontmatter; keep one of them";
    reporter.report("both-spellings", placeOfKey({ source, root }, ["system_prompt"]), message);
  }
  const prompt = hasBody ? body : fillIn(keys.system_prompt ?? introduce(keys), keys);
  const references = collectReferences({ source, root }, keys, bodyCollaborations);
  return { file: source.file, id, source, root, keys, prompt, hasBody, references, bodyCollaborations, origin, crew };
}

/** A remote agent that stands in crew.yaml whole. What is wrong with its keys was said when the list was read. */
export function readRemoteEntry(source: Source, root: MapNode): AgentFile | undefined {
  const agent = assemble(source, { root, body: undefined, origin: undefined }, [], silentReporter);
  return agent === undefined ? undefined : { ...agent, prompt: "" };
}

function foreignIn(root: MapNode): ForeignFile | undefined {
  return root.entries.length === 0 ? undefined : recognizeForeign(root, agentShape.keys ?? new Set());
}

/** The id that a file's name gives. Some systems write names decomposed, which reads the same. */
export function idOfFile(file: string): string {
  return basename(file, extname(file)).normalize("NFC");
}

/** The `{{name}}`, `{{role}}`, `{{description}}` and `{{backstory}}` of a YAML agent's prompt; other braces stay. */
function fillIn(prompt: string, keys: AgentFile["keys"]): string {
  return prompt
    .replace(/\{\{\s*(name|role|description|backstory)\s*\}\}/g, (_, key: PromptKey) => keys[key] ?? "")
    .trim();
}

type PromptKey = "name" | "role" | "description" | "backstory";

/** The prompt of an agent that has none. */
function introduce(keys: AgentFile["keys"]): string {
  const who = [keys.name, keys.role].filter((part) => part !== undefined).join(", ");
  return [who === "" ? "" : `You are ${who}.`, keys.backstory ?? ""].filter((line) => line !== "").join("\n\n");
}

/** The YAML of a range, which must be a map or nothing. */
export function readMap(source: Source, range: Span, reporter: Reporter): MapNode | undefined {
  const node: YamlNode | undefined = parseYaml(source, range, reporter);
  if (node === undefined) return undefined;
  if (node.kind === "map") return node;
  if (node.kind === "scalar" && node.value === null) return { ...emptyMap(), span: node.span };
  const what = range.start === 0 ? "the file" : "the frontmatter";
  const message = `${what} must be a map of keys and values, such as \`name: writer\`, got ${describeNode(node)}`;
  reporter.report("wrong-type", placeIn(source, node.span), message);
  return undefined;
}

function emptyMap(): MapNode {
  return { kind: "map", entries: [], span: { start: 0, end: 0 } };
}
