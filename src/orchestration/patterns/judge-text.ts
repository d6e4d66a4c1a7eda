import { compileRegex } from "../../regex/compile-regex.ts";
import { stripFence } from "../../session/read-answer.ts";
import { findSchemaProblem } from "../../tools/find-schema-problem.ts";
import type { GuardCheck, Verdict } from "../../vocabulary/guard.ts";
import { detectLanguage } from "./detect-language.ts";
import { findUngrounded } from "./find-ungrounded.ts";

type PlainCheck = Exclude<GuardCheck, { readonly type: "module" | "agent" }>;

const SECRET = "[REDACTED:";

/** Why a text trips a guard that needs nobody to judge, and what could stand in its place; undefined if it passes. */
export function judgeText(
  check: PlainCheck,
  text: string,
  given: () => readonly string[],
): { readonly reason: string; readonly text?: string } | undefined {
  switch (check.type) {
    case "max_chars": {
      const { limit } = check;
      const reason = `it has ${text.length} characters, and at most ${limit} are allowed`;
      return text.length > limit ? { reason, text: text.slice(0, limit) } : undefined;
    }
    case "matches": {
      const regex = compileRegex(check.pattern);
      return "problem" in regex || regex.test(text) ? undefined : { reason: `it does not match ${check.pattern}` };
    }
    case "forbids":
      return judgeWords(check.texts, text);
    case "json":
      return judgeJson(check.schema, text);
    case "language": {
      const found = detectLanguage(text);
      const isOther = found !== undefined && found !== check.language;
      return isOther ? { reason: `it is written in '${found}' and not in '${check.language}'` } : undefined;
    }
    case "no_secrets":
      return text.includes(SECRET) ? { reason: "it had a secret", text } : undefined;
    case "grounded": {
      const missing = findUngrounded(text, given());
      return missing.length === 0
        ? undefined
        : { reason: `these are in nothing that the agent was given: ${missing.join(", ")}` };
    }
  }
}

function judgeWords(
  texts: readonly string[],
  text: string,
): { readonly reason: string; readonly text: string } | undefined {
  let [rest, found] = [text, ""];
  for (const each of texts) {
    const parts = splitBy(rest, each);
    if (parts.length === 1) continue;
    found ||= each;
    rest = parts.join("[removed]");
  }
  return found === "" ? undefined : { reason: `it says '${found}'`, text: rest };
}

/** Whatever the case of the words. Lower case may have another length than the text, and then the text is only compared. */
function splitBy(text: string, words: string): string[] {
  const [lower, wanted] = [text.toLowerCase(), words.toLowerCase()];
  if (wanted === "" || !lower.includes(wanted)) return [text];
  if (lower.length !== text.length) return ["", ""];
  const parts: string[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

function judgeJson(schema: unknown, text: string): { readonly reason: string } | undefined {
  try {
    const problem = schema === undefined ? undefined : findSchemaProblem(JSON.parse(stripFence(text)), schema);
    if (schema === undefined) JSON.parse(stripFence(text));
    return problem === undefined ? undefined : { reason: `it does not fit: ${problem}` };
  } catch (error) {
    return { reason: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The verdict of a function or of an agent that judges, read leniently; undefined if it is none. */
export function readVerdict(value: unknown): Verdict | undefined {
  if (value === undefined || value === null || value === true || value === "pass" || value === "")
    return { action: "pass" };
  if (typeof value !== "object") return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  if (fields["verdict"] !== undefined) return readNamed(fields);
  for (const action of ["block", "ask", "retry"] as const)
    if (fields[action] !== undefined) return { action, reason: String(fields[action]) };
  if (typeof fields["rewrite"] === "string")
    return { action: "rewrite", reason: String(fields["reason"] ?? "it was rewritten"), text: fields["rewrite"] };
  return fields["pass"] === true ? { action: "pass" } : undefined;
}

function readNamed({ verdict, reason = "", text }: Readonly<Record<string, unknown>>): Verdict | undefined {
  if (verdict === "pass") return { action: "pass" };
  if (verdict === "block" || verdict === "ask" || verdict === "retry")
    return { action: verdict, reason: String(reason) };
  return verdict === "rewrite" && typeof text === "string"
    ? { action: "rewrite", reason: String(reason), text }
    : undefined;
}
