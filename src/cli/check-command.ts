import { loadDefinition } from "../definition/load-definition.ts";
import { listCrews } from "../flow/list-crews.ts";
import { listEntries } from "../flow/list-entries.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { formatDiagnostics, summarize } from "./format-diagnostics.ts";
import { formatAnnotation } from "./github-annotation.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface CheckOptions {
  readonly strict?: boolean;
  readonly stubTools?: boolean;
  readonly allow?: string;
  readonly format: "text" | "json" | "github";
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly root?: string;
}

/** `baton check`: prints every problem of a crew; 3 if one of them is an error. */
export function check(path: string, options: CheckOptions, terminal: Terminal): number {
  try {
    return checkFiles(path, options, terminal);
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    const { code, message } = error;
    if (options.json || options.format === "json")
      terminal.print(JSON.stringify({ error: { code, message } }, undefined, 2));
    terminal.note(`error: ${message}`);
    return exitCodes.usage;
  }
}

function checkFiles(path: string, options: CheckOptions, terminal: Terminal): number {
  const { workingDirectory } = terminal;
  const { crew, diagnostics } = loadDefinition(path, {
    workingDirectory,
    environment: terminal.variables,
    ...(options.strict && { strict: true }),
    ...(options.stubTools && { stubTools: true }),
    ...(options.allow !== undefined && { allow: options.allow }),
    ...(options.root !== undefined && { root: options.root }),
  });
  const isValid = !diagnostics.some(({ severity }) => severity === "error");
  const format = options.json ? "json" : options.format;
  const entries = listChosenEntries(crew);
  if (format === "json") terminal.print(JSON.stringify({ valid: isValid, diagnostics, entries }, undefined, 2));
  else if (format === "github") for (const each of diagnostics) terminal.print(annotate(each));
  else if (!options.quiet || diagnostics.length > 0) {
    const problems = diagnostics.length === 0 ? "" : `${formatDiagnostics(diagnostics, terminal.style)}\n\n`;
    const verdicts = [describeVerdict(crew, diagnostics, terminal), ...entries.map(describeEntry)];
    terminal.print(problems + verdicts.join("\n"));
  }
  return isValid ? exitCodes.completed : exitCodes.invalid;
}

function describeVerdict(crew: Crew | undefined, diagnostics: readonly Diagnostic[], terminal: Terminal): string {
  if (crew === undefined || diagnostics.length > 0) return summarize(diagnostics, terminal.style);
  const bound = [...crew.bindings.values()].flat().length;
  const functions = [...crew.agents.values()].filter((agent) => agent.function !== undefined).length;
  const counts = {
    agent: crew.agents.size - functions,
    function: functions,
    group: crew.groups.size,
    "sub-crew": crew.subCrews.size,
    binding: bound,
  };
  const parts = Object.entries(counts).flatMap(([word, count]) => (count === 0 ? [] : [formatAmount(count, word)]));
  return `${terminal.style("green", "✓")} ${crew.name}: ${parts.join(", ")}; no problems`;
}

/** Who may begin in a crew that chooses by the input, and who does where no agent fits well enough. */
interface ChosenEntry {
  /** The place of a sub-crew. */
  readonly crew?: string;
  readonly agents: readonly string[];
  readonly fallback: string;
  readonly minConfidence: number;
}

function listChosenEntries(crew: Crew | undefined): ChosenEntry[] {
  return (crew === undefined ? [] : listCrews(crew)).flatMap(([place, each]) => {
    const agents = listEntries(each).map(({ id }) => id);
    const [first, second] = agents;
    if (each.entryPoint.type !== "auto" || first === undefined || second === undefined) return [];
    const { minConfidence } = each.settings;
    return [{ ...(place !== "" && { crew: place }), agents, fallback: first, minConfidence }];
  });
}

function describeEntry({ crew, fallback, minConfidence }: ChosenEntry): string {
  const where = crew === undefined ? "" : `${crew}: `;
  const otherwise = minConfidence === 0 ? "no agent fits" : `the confidence is below ${minConfidence}`;
  return `${where}the agent that fits an input begins; '${fallback}', the first agent, where ${otherwise}`;
}

function annotate({ severity, file, line, column: col, code, message }: Diagnostic): string {
  return formatAnnotation(severity, { file, line, col, title: code }, message);
}
