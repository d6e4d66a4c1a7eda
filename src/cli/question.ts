import { createInterface } from "node:readline/promises";
import { findAgentCrew } from "../views/find-agent-crew.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Paused, PauseReason } from "../vocabulary/pause.ts";
import { describeDeadline } from "./ask-until.ts";
import { wrap } from "./live/cells.ts";
import { cleanText } from "./live/clean-text.ts";
import type { Terminal } from "./terminal.ts";

/** A paused run's question: who asks and why, the prompt unless it stands right above, and what can be answered. */
export function questionLines(
  paused: Paused,
  crew: Crew,
  above: string,
  style: Terminal["style"],
  columns: number,
  isStored = true,
): string[] {
  const prompt = removeAnswer(paused.prompt, above);
  const hint = isStored
    ? "Enter an empty line to leave the run paused."
    : "Enter an empty line to give the run up: --no-journal stores nothing of it.";
  const agents = [...findAgentCrew(paused.agent, crew).agents.keys()];
  return pausedLines({ ...paused, prompt }, agents, hint, style, columns);
}

/** A prompt without the agent's answer at its end, where that stands right above. */
export function removeAnswer(prompt: string, above: string): string {
  return above !== "" && prompt.endsWith(above) ? prompt.slice(0, -above.length) : prompt;
}

/** The same for whoever does not sit at the run, with a hint how to go on. */
export function pausedLines(
  paused: Paused,
  agents: readonly string[],
  hint: string | undefined,
  style: Terminal["style"],
  columns: number,
): string[] {
  const { agent, reason, prompt, options, expiresAt } = paused;
  const asked = cleanText(prompt).trim();
  const choices = options.flatMap((option) => listChoices(option, agent, agents));
  const width = Math.max(0, ...choices.map(([words]) => words.length));
  const lines = [
    ...wrap(`${agent} ${reasons[reason]}`, columns - 2).map((line) => style("bold", line)),
    ...(asked === "" ? [] : ["", ...wrap(asked, columns - 2)]),
    ...(choices.length === 0 ? [] : [""]),
    ...choices.flatMap(([words, about]) =>
      wrap(about, columns - width - 6).map((line, index) => `  ${(index === 0 ? words : "").padEnd(width)}  ${line}`),
    ),
    ...(expiresAt === undefined
      ? []
      : [
          "",
          ...wrap(`It waits ${cleanText(describeDeadline(paused))}.`, columns - 2).map((line) => style("dim", line)),
        ]),
    ...(hint === undefined ? [] : ["", ...wrap(hint, columns - 2).map((line) => style("dim", line))]),
  ];
  return lines.map((line) => `${style("yellow", "┃")} ${line}`.trimEnd());
}

const reasons: Readonly<Record<PauseReason, string>> = {
  wait_for_signal: "waits for your answer",
  no_signal: "gave no signal, and waits for your answer",
  signal: "waits for your answer",
  gate: "waits for your approval",
  approval: "waits for your approval",
  external: "waits for a response from outside",
  quota: "has used up a quota",
  ambiguous: "does not know whether it happened",
};

function listChoices(option: string, agent: string, agents: readonly string[]): [words: string, about: string][] {
  switch (option) {
    case "input":
    case "external":
      return [];
    case "approve":
      return [["approve", "let it go on"]];
    case "reject":
      return [["reject <words>", `tell ${agent} why not`]];
    case "edit":
      return [["edit <JSON>", "continue with these arguments instead"]];
    case "quota":
      return [["<cap> <value>", "raise the cap, such as max_cost_usd 2"]];
    case "redirect:<agent>":
      return [["redirect <agent>", agents.join(", ")]];
    case "happened":
      return [["happened <result>", "it was done: these words are the tool's result"]];
    case "not_happened":
      return [["not_happened", "it was not done: call the tool now"]];
    default:
      return [[option, ""]];
  }
}

/** What a person types at the terminal; undefined where they would rather not say. */
export async function askLine(output: NodeJS.WritableStream, abort?: AbortSignal): Promise<string | undefined> {
  const reader = createInterface({ input: process.stdin, output });
  const left = new AbortController();
  const leave = () => left.abort();
  reader.on("close", leave);
  reader.on("SIGINT", leave);
  if (abort?.aborted) leave();
  abort?.addEventListener("abort", leave, { once: true });
  try {
    const line = await reader.question("❯ ", { signal: left.signal });
    return line.trim() === "" ? undefined : line;
  } catch (error) {
    if (!left.signal.aborted) throw error;
    output.write("\n");
    return undefined;
  } finally {
    abort?.removeEventListener("abort", leave);
    reader.close();
  }
}
