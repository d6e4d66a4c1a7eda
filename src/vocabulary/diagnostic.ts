/** Errors stop a run, warnings do not. */
export type Severity = "error" | "warning";

/** Every code that loading can report, and what it means. Codes keep their meaning for ever; new checks add new codes. */
export const diagnosticCodes = {
  "yaml-syntax": "The text is not valid YAML, or a Markdown file's frontmatter is not closed.",
  "not-utf8": "The file is not UTF-8 text.",
  "too-large": "The file is larger than 256 KiB, or nested deeper than 64 levels.",
  alias: "YAML aliases are not supported: write the value out.",
  "outside-root": "A path, or the target of its link, leaves the project root.",
  "not-found": "Nothing is at this path.",
  "foreign-file": "The file has no prompt and most of its keys are unknown, so it belongs to another program.",
  "not-an-agent": "The file holds replies for `--script`, not an agent; Baton leaves it out.",
  "unused-group": "No binding, default or signal leads to this group.",
  "unused-crew": "Nothing calls this sub-crew.",
  unreadable: "The path does not lead to a regular file, or Baton may not read it.",
  "unknown-key": "Baton does not know this key and ignores it. A warning in permissive mode, an error in strict mode.",
  "both-spellings": "A key is given in snake_case and in camelCase at once.",
  "wrong-type": "The value is not of the kind that the key takes.",
  "missing-field": "A key that is needed here is missing.",
  "duplicate-id": "Two agents have the same id, an agent and a group have the same name, or two tools of an agent do.",
  "duplicate-key": "A map has a key twice.",
  "bad-address":
    "Not an address that webhooks can be posted to: http:// or https://, without a user and password in it.",
  "bad-secret-name":
    "A webhook may not be signed with this variable, nor have it in its address: its name does not say so, or it is a provider's key.",
  "unset-variable": "A webhook's address or a model's name refers to an environment variable that is not set.",
  "bad-duration": "Not a duration: write milliseconds, or a number with ms, s, m, h or d.",
  "bad-pause-timeout": "The pause does not take the decision that its pause_timeout names.",
  "missing-limit": "Strict mode wants this limit written out.",
  "no-effect": "Baton knows this key, but the key has no effect here.",
  "read-as":
    "Baton reads something in a file of another system in a different way than that system; the message says how.",
  "missing-agent-file": "An agent is listed and has no file.",
  "unlisted-agent":
    "An agent's file is in the crew's folder, but the crew does not list the agent, and no agent refers to it.",
  "unknown-agent": "The name is not one of the crew's agents.",
  "unknown-target": "A signal leads to an agent or group that does not exist.",
  "unknown-group": "A parallel signal leads to a group that does not exist.",
  "unknown-crew": "The name is not one of the crew's sub_crews.",
  "unknown-tool": "The tool is not declared.",
  "unknown-queue": "The queue is not one of those that baton.yaml lists under queues:.",
  "absent-tool": "Agents of another product use tools that Baton does not have; the agents run without them.",
  "stub-tool": "The tools are not declared, so stubs answer for them: --stub-tools is set.",
  "unknown-collaborator": "The name fits no agent of the crew, or several.",
  "unknown-entry-point": "The entry point is not one of the crew's agents.",
  "bad-model": "Not a model's name: write provider/model.",
  "missing-description": "An agent is offered to another one's model and does not say what it does.",
  "undescribed-agent": "The agent may be chosen to begin, but nothing in its file can match an input.",
  "unknown-template-name": "A template uses a name that does not exist.",
  "bad-template": "A template's braces, blocks or filters are malformed.",
  "bad-items-path": 'Not a path into JSON: write $, then .key, [0] or ["a key"] for each step.',
  "bad-signal-format": "Not a signal's name: [ + 1 to 64 letters, digits, _, - and inner spaces + ].",
  "unregistered-signal": "Strict mode wants signals to be defined under signals: before they are bound.",
  "duplicate-signal": "An agent binds a signal twice, or signals: defines one twice.",
  "disallowed-emitter": "The signal's definition does not allow this agent to emit it.",
  "bad-target": "The signal cannot have this target, or needs one.",
  "deprecated-signal": "The signal still acts; its definition says what replaces it.",
  "ambiguous-signal": "Two signals of one agent differ in case, _, - or spaces only.",
  "unreachable-agent": "No path leads from the entry point to this agent.",
  "dead-end": "An agent or group that can neither end the run nor pass the work on.",
  "unmentioned-signal": "The agent's prompt never mentions a signal that it is to emit.",
  "unbound-signal": "The agent's prompt tells it to emit a signal that is not bound for it.",
  "endless-cycle": "Agents pass the work round, and only a limit ends it.",
  "implicit-next":
    "If an agent that has signals gives none, the next agent of the list speaks, although the crew does not say so.",
  "takes-no-files": "The agent asks for files with `attachments`, and none of its models takes any but text.",
  "pause-in-group": "A member of a parallel group can wait for a human, or was to and cannot.",
  "max-crew-depth":
    "Sub-crews are nested deeper than max_crew_depth allows, so that the last of them cannot be called.",
  "empty-group": "A group without members.",
  "reference-cycle": "Agents or crews refer to each other in a circle, which would never end.",
  "bad-pattern": "A router, team, handoff, group or function that lacks something or contradicts another.",
  "format-mismatch": "What an agent gives does not fit what the agent it hands off to takes.",
} as const;

/** The code of a diagnostic. */
export type DiagnosticCode = keyof typeof diagnosticCodes;

/** Codes that are warnings; `unknown-key` is one in permissive mode. All others are errors. */
export const warningCodes: ReadonlySet<DiagnosticCode> = new Set([
  "no-effect",
  "read-as",
  "absent-tool",
  "stub-tool",
  "not-an-agent",
  "unused-group",
  "unused-crew",
  "unlisted-agent",
  "undescribed-agent",
  "deprecated-signal",
  "ambiguous-signal",
  "unreachable-agent",
  "dead-end",
  "unmentioned-signal",
  "unbound-signal",
  "endless-cycle",
  "implicit-next",
  "takes-no-files",
  "pause-in-group",
  "max-crew-depth",
]);

/** How severe a problem with this code is, in words. */
export function describeSeverity(code: DiagnosticCode): string {
  if (code === "unknown-key") return "warning, in strict mode error";
  return warningCodes.has(code) ? "warning" : "error";
}

export function findSeverity(code: DiagnosticCode, strict: boolean): Severity {
  if (code === "unknown-key") return strict ? "error" : "warning";
  return warningCodes.has(code) ? "warning" : "error";
}

/** One problem in a crew's files. `line` and `column` count from 1; a problem of a whole file is at 1:1. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The lines around the place, with the place underlined; empty if the file has no text to show. */
  readonly frame: string;
  /** The nearest valid name, if one is similar enough. */
  readonly suggestion?: string;
}
