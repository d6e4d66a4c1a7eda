import { relative } from "node:path";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import type { Decision, IdleKey, ImportKind, ImportPlan, MappedKey, Notes, OriginalPlace } from "./crew-plan.ts";

/** How a system is called. */
export const kindNames: Readonly<Record<ImportKind, string>> = {
  "go-agentic": "go-agentic",
  "ai-agent": "ai-agent",
  maia: "Maia",
  claude: "Claude Code",
  copilot: "Copilot",
  opencode: "opencode",
  "docker-agent": "Docker Agent",
  crewai: "CrewAI",
  autogen: "AutoGen",
};

/** IMPORT.md: what became of each line of the originals. `folder` is where it will stand. */
export function renderReport(
  plan: ImportPlan,
  notes: Notes,
  diagnostics: readonly Diagnostic[],
  folder: string,
): string {
  const show = (file: string) => relative(folder, file).replaceAll("\\", "/") || ".";
  const parts = [
    `# Imported from ${kindNames[plan.kind]}\n`,
    `${describeCheck(diagnostics)} The originals are as they were.\n`,
    "```\nbaton check .\nbaton graph .\n```\n",
    renderVariables(plan),
    "## What to decide\n",
    notes.decisions.length === 0 ? "Nothing: all of it could be taken over.\n" : renderDecisions(notes.decisions, show),
    "## What has no effect\n",
    notes.idle.length === 0 ? "Nothing.\n" : renderIdle(notes.idle, show),
    "## What was mapped\n",
    renderMapped(notes.mapped, show),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function describeCheck(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (errors > 0)
    return `\`baton check\` finds ${formatAmount(errors, "error")} in this crew, which you have to correct before it runs.`;
  return `This crew passes \`baton check\`${warnings === 0 ? "" : ` with ${formatAmount(warnings, "warning")}`}.`;
}

/** Variables that the prompts have, as the run's command gives them. */
function renderVariables({ crews }: ImportPlan): string {
  const variables = new Set<string>();
  for (const { prompt } of crews.flatMap(({ agents }) => agents))
    for (const [, name = ""] of prompt.matchAll(/\{\{([a-z_][a-z0-9_]*)\}\}/g)) variables.add(name);
  if (variables.size === 0) return "";
  const options = [...variables].map((name) => `--var ${name}=…`).join(" ");
  return `The prompts have variables. Give them when you run the crew:\n\n\`\`\`\nbaton run . "…" ${options}\n\`\`\`\n`;
}

type Show = (file: string) => string;

/** Only the first file of several stands for what they have in common. */
function renderDecisions(decisions: readonly Decision[], show: Show): string {
  const rows = decisions.map((each, index) => [String(index + 1), place(each, show), each.what, each.proposal]);
  return renderTable(["", "where", "what", "proposal"], rows);
}

function renderIdle(idle: readonly IdleKey[], show: Show): string {
  return renderTable(
    ["where", "what", "why"],
    idle.map((each) => [place(each, show), code(each.what), each.why]),
  );
}

function renderMapped(mapped: readonly MappedKey[], show: Show): string {
  const byFile = Map.groupBy(mapped, ({ file }) => file);
  const sections = [...byFile].map(([file, lines]) => {
    const rows = lines.toSorted((a, b) => a.line - b.line).map(({ line, was, is }) => [String(line), code(was), is]);
    return `### ${show(file)}\n\n${renderTable(["line", "was", "is"], rows)}`;
  });
  return sections.join("\n");
}

function place({ file, line }: OriginalPlace, show: Show): string {
  return `${show(file)}:${line}`;
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escapeCell).join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}

function escapeCell(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}

function code(text: string): string {
  return text.includes("`") ? text : `\`${text}\``;
}

/** The notes, each said once, in the order of files and lines. */
export function sortNotes({ mapped, idle, decisions }: Notes): Notes {
  return { mapped: unique(mapped), idle: unique(idle), decisions: unique(decisions) };
}

function unique<Note extends OriginalPlace>(notes: readonly Note[]): Note[] {
  const byText = new Map(notes.map((note) => [JSON.stringify(note), note]));
  return [...byText.values()].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
