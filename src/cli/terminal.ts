import { styleText } from "node:util";

/** What a command needs of the world it is typed in. */
export interface Terminal {
  readonly workingDirectory: string;
  /** For what was asked for. */
  print(text: string): void;
  /** For what people should know besides. */
  note(text: string): void;
  /** Text for `print`, in colour where the terminal has any and NO_COLOR is not set. */
  style(format: Style, text: string): string;
}

type Style = "red" | "yellow" | "green" | "cyan" | "bold" | "dim";

/** Exit codes, the same for every command. */
export const exitCodes = { completed: 0, failed: 1, usage: 2, invalid: 3 } as const;

export function processTerminal(): Terminal {
  return {
    workingDirectory: process.cwd(),
    print: (text) => process.stdout.write(text.endsWith("\n") ? text : `${text}\n`),
    note: (text) => process.stderr.write(`${text}\n`),
    style: (format, text) => styleText(format, text, { stream: process.stdout }),
  };
}
