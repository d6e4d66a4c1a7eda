import type { Decision, Paused, ResumeAnswer } from "../../../src/vocabulary/pause.ts";

const known: readonly string[] = ["approve", "reject", "edit", "happened", "not_happened"];

/** The decisions that a question takes, as buttons. */
export function listDecisions({ options }: Paused): Decision[] {
  return options.filter(
    (option): option is Decision => known.includes(option) || (option.startsWith("redirect:") && !takesAgent(option)),
  );
}

/** Whether the question takes a redirection to any agent, which the person chooses. */
export function takesRedirect({ options }: Paused): boolean {
  return options.some(takesAgent);
}

function takesAgent(option: string): boolean {
  return option === "redirect:<agent>";
}

/** Makes an answer of words and a decision, or says what is wrong with them. */
export function buildAnswer(
  { options }: Paused,
  decision: Decision | undefined,
  words: string,
): { readonly answer: ResumeAnswer } | { readonly problem: string } {
  const text = words.trim();
  if (decision === "edit") {
    try {
      return { answer: { decision, args: JSON.parse(text) } };
    } catch (error) {
      return { problem: `Write the arguments as JSON: ${(error as Error).message}` };
    }
  }
  if (decision === "happened") return { answer: text === "" ? { decision } : { decision, result: words } };
  if (decision !== undefined) return { answer: text === "" ? { decision } : { decision, input: words } };
  if (options.includes("quota")) return buildQuota(text);
  if (options.includes("external")) return { answer: { external: words } };
  return text === "" ? { problem: "Write an answer first." } : { answer: { input: words } };
}

function buildQuota(text: string): { readonly answer: ResumeAnswer } | { readonly problem: string } {
  const [, cap, value] = /^(max_\w+)[\s:=]+([\d.]+)$/.exec(text) ?? [];
  if (cap === undefined) return { problem: "Write a cap and its new value, such as max_cost_usd 2." };
  return { answer: { quota: { [cap]: Number(value) } } };
}
