import { createInterface } from "node:readline/promises";
import type { Terminal } from "./terminal.ts";

/** A question with a few answers; the first is taken where the person types nothing. */
export interface Question {
  readonly text: string;
  readonly choices: readonly { readonly name: string; readonly about: string }[];
}

/** Asks questions at the terminal, until each has an answer. Undefined if the person leaves with Ctrl-C or Ctrl-D. */
export async function askChoices(questions: readonly Question[], terminal: Terminal): Promise<string[] | undefined> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  reader.on("close", () => left.abort());
  reader.on("SIGINT", () => left.abort());
  try {
    const answers: string[] = [];
    for (const question of questions) {
      terminal.note(describe(question, terminal));
      for (;;) {
        const line = await reader.question("❯ ", { signal: left.signal });
        const answer = findAnswer(line.trim(), question);
        if (answer !== undefined) {
          answers.push(answer);
          break;
        }
        terminal.note(
          `'${line.trim()}' is none of them: type a number from 1 to ${question.choices.length}, or a name`,
        );
      }
    }
    return answers;
  } catch (error) {
    if (!left.signal.aborted) throw error;
    process.stderr.write("\n");
    return undefined;
  } finally {
    reader.close();
  }
}

function describe({ text, choices }: Question, terminal: Terminal): string {
  const width = Math.max(...choices.map(({ name }) => name.length));
  const lines = choices.map(({ name, about }, index) => {
    const number = String(index + 1).padStart(3);
    return `${number}  ${name.padEnd(width)}  ${terminal.style("dim", about)}`.trimEnd();
  });
  return [terminal.style("bold", text), ...lines, terminal.style("dim", "Enter takes 1.")].join("\n");
}

function findAnswer(typed: string, { choices }: Question): string | undefined {
  if (typed === "") return choices[0]?.name;
  return (choices[Number(typed) - 1] ?? choices.find(({ name }) => name === typed.toLowerCase()))?.name;
}
