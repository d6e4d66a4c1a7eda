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

type Style = "red" | "yellow" | "green" | "bold" | "dim";

/** Exit codes, the same for every command. 1 is Node's own, for a failure that is ours. */
export const exitCodes = { completed: 0, usage: 2, invalid: 3 } as const;

export function processTerminal(): Terminal {
  const print = writerOf(process.stdout);
  const note = writerOf(process.stderr);
  return {
    workingDirectory: process.cwd(),
    print: (text) => print(text.endsWith("\n") ? text : `${text}\n`),
    note: (text) => note(`${text}\n`),
    style: (format, text) => styleText(format, text, { stream: process.stdout }),
  };
}

/** A reader that closes the pipe early, such as `head`, has what it wants: it gets no more, and the command goes on to its exit code. */
function writerOf(stream: NodeJS.WriteStream): (text: string) => void {
  let isRead = true;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    isRead = false;
  });
  return (text) => {
    if (isRead) stream.write(text);
  };
}
