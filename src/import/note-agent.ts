import { type AgentFile, readAgentFile, readMap } from "../definition/agent-file.ts";
import type { AgentReading } from "../definition/agent-reading.ts";
import { silentReporter } from "../definition/problem-log.ts";
import { splitFrontmatter } from "../definition/split-frontmatter.ts";
import type { MapEntry, MapNode } from "../definition/yaml-node.ts";
import { collectProblems, type FoundProblem } from "./collect-problems.ts";
import type { Notes } from "./crew-plan.ts";
import { joinSpans, locateSpan, shorten, showEntry } from "./original-text.ts";
import { proposeFor } from "./propose.ts";

/** Notes, line by line, what became of an agent's file, which `target` is written from. */
export function noteAgent(
  file: AgentFile,
  target: string,
  reading: Omit<AgentReading, "reporter">,
  notes: Notes,
): void {
  const { reporter, found } = collectProblems();
  // Read once more, since a crew's own reader tells keys without an effect together.
  readAgentFile(file.file, { ...reading, reporter });
  for (const problem of found) noteProblem(problem, file, target, notes);
  for (const entry of rawEntries(file)) {
    const span = joinSpans(entry);
    const isTold = ({ span: { start }, code, isError, why }: FoundProblem) =>
      start === entry.keySpan.start
        ? code !== "read-as"
        : (isError || why !== undefined) && start >= span.start && start < span.end;
    if (!found.some(isTold)) noteEntry(entry, file, target, notes);
  }
  noteBody(file, target, notes);
}

function noteProblem(problem: FoundProblem, file: AgentFile, target: string, notes: Notes): void {
  const source = file.source;
  const { code, span, message, why, isError } = problem;
  // What a file includes has problems of its own.
  const place = problem.file === source.file ? locateSpan(source, span) : { file: problem.file, line: 1 };
  const what = shorten(source.text.slice(span.start, span.end));
  if (why !== undefined) notes.idle.push({ ...place, what, why });
  else if (code === "unknown-key" && !isError) notes.idle.push({ ...place, what, why: "nobody reads it" });
  else if (isError) notes.decisions.push({ ...place, what: message, proposal: proposeFor(code, target) });
  else if (code === "read-as" && message.includes("left out"))
    notes.decisions.push({ ...place, what: message, proposal: `add it to ${target}` });
}

function noteEntry(entry: MapEntry, { root, source }: AgentFile, target: string, notes: Notes): void {
  const place = locateSpan(source, entry.keySpan);
  const was = showEntry(entry.key, entry.value);
  const translated = root.entries.filter(({ keySpan }) => keySpan.start === entry.keySpan.start);
  const isNothing = entry.value.kind === "scalar" && (entry.value.value === null || entry.value.value === "");
  if (isNothing) notes.idle.push({ ...place, what: was, why: "it says nothing" });
  else if (translated.length > 0)
    notes.mapped.push({ ...place, was, is: translated.map(({ key }) => `\`${snake(key)}\` in ${target}`).join(", ") });
  else notes.mapped.push({ ...place, was, is: sayMissing(entry.key) });
}

/** Keys that become something of the crew, or whose values say that nothing is set. */
function sayMissing(key: string): string {
  if (key === "mode") return "who begins and who is called, in crew.yaml";
  if (key === "mcp-servers") return "`mcp_servers` in crew.yaml";
  if (/^model/.test(key)) return "the crew's model";
  return "nothing: it says that nothing is set";
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The keys as the file has them, before they are read as its system reads them. */
function rawEntries({ source, root, hasBody }: AgentFile): readonly MapEntry[] {
  const isYaml = /\.ya?ml$/.test(source.file) && !hasBody;
  const whole = { start: 0, end: source.text.length };
  const range = isYaml ? whole : splitFrontmatter(source, silentReporter)?.frontmatter;
  const tree: MapNode | undefined = range && readMap(source, range, silentReporter);
  return (tree ?? root).entries;
}

/** The prompt, and what it says of the agent. */
function noteBody(file: AgentFile, target: string, notes: Notes): void {
  const { source, hasBody, bodyCollaborations, keys, root } = file;
  if (hasBody) {
    const start = splitFrontmatter(source, silentReporter)?.bodyStart ?? 0;
    const place = locateSpan(source, { start, end: start });
    notes.mapped.push({ ...place, was: "the text below", is: `the prompt in ${target}` });
  }
  for (const name of listVariables(file)) {
    const at = source.text.indexOf(`\${${name}}`);
    notes.decisions.push({
      ...locateSpan(source, { start: Math.max(0, at), end: at }),
      what: `\`\${${name}}\` in the prompt is a variable of the environment, and stays as it is`,
      proposal: `write {{${name}}} in ${target}, and run with --var ${name}=…`,
    });
  }
  for (const { name, span } of bodyCollaborations)
    notes.mapped.push({
      ...locateSpan(source, span),
      was: `collaborator ${shorten(name)}`,
      is: `a transfer, in ${target}`,
    });
  const isGiven = root.entries.some(({ key }) => key === "description");
  if (keys.description !== undefined && !isGiven)
    notes.mapped.push({ file: source.file, line: 1, was: "**Purpose**", is: `\`description\` in ${target}` });
}

/** Variables that ai-agent takes out of the environment, as far as the project does not give them. */
function listVariables({ origin, prompt }: AgentFile): ReadonlySet<string> {
  if (origin?.name !== "ai-agent") return new Set();
  return new Set([...prompt.matchAll(/\$\{([A-Z][A-Z0-9_]{0,63})\}/g)].map(([, name = ""]) => name));
}
