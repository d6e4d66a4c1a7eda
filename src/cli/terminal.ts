import { BatonError } from "../vocabulary/errors.ts";
import { divert } from "./divert.ts";
import { colour, makeWritable, type Style } from "./terminal-text.ts";

/** What a command needs of the world it is typed in. */
export interface Terminal {
  readonly workingDirectory: string;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  /** Where pictures may be painted: only where nothing is piped on and the terminal can move its cursor. */
  readonly screen: NodeJS.WriteStream | undefined;
  /** What is piped in, however slowly. */
  readInput(): Promise<string>;
  /** For what was asked for. */
  print(text: string): void;
  /** For what people should know besides. */
  note(text: string): void;
  /**
   * Until the returned function is called, what tools write to either stream goes to standard error as notes do: standard output
   * is for what was asked for.
   */
  divertTools(): () => void;
  /** Text for `print`, in colour if the terminal shows colours and NO_COLOR is not set. */
  style(format: Style, text: string): string;
}

/** For what may not be in colour. */
export const plainStyle: Terminal["style"] = (_, text) => text;

/** How wide what is printed may be; what is piped on is not cut. */
export function countColumns({ screen }: Terminal): number {
  return screen?.columns ?? Number.POSITIVE_INFINITY;
}

/** How wide a drawing may be that is piped on, where nothing says how wide the reader's screen is. */
const USUAL_COLUMNS = 80;

/** The same for what is laid out to be looked at, which lines wider than a screen would break. */
export function countScreenColumns({ screen, variables }: Pick<Terminal, "screen" | "variables">): number {
  const named = Number(variables["COLUMNS"]);
  return screen?.columns ?? (Number.isInteger(named) && named > 0 ? named : USUAL_COLUMNS);
}

/** Exit codes, the same for every command. */
export const exitCodes = {
  completed: 0,
  failed: 1,
  usage: 2,
  invalid: 3,
  paused: 4,
  limit: 5,
  cancelled: 130,
} as const;

/** What options of the command say of the terminal. They are asked when they matter, since the terminal is there before the command is known. */
interface TerminalChoice {
  /** Whether control characters are wanted as they are; a terminal never gets them. */
  readonly isRaw: () => boolean;
  /** Whether only what was asked for is wanted: notes are held back, and nobody is asked. */
  readonly isQuiet: () => boolean;
  /** Variables that options stand for. */
  readonly variables: () => Terminal["variables"];
}

interface ProcessTerminal extends Terminal {
  /** Says what was held back, for a command that did not do what was asked. */
  tellHeldNotes(): void;
}

export function openProcessTerminal({ isRaw, isQuiet, variables }: TerminalChoice): ProcessTerminal {
  const output = createWriter(process.stdout, isRaw);
  const notes = createWriter(process.stderr, isRaw);
  const held: string[] = [];
  const canPaint = process.stdout.isTTY && process.stderr.isTTY && process.env["TERM"] !== "dumb";
  return {
    workingDirectory: process.cwd(),
    get variables() {
      return { ...process.env, ...variables() };
    },
    get isInteractive() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true && !isQuiet();
    },
    get screen() {
      return canPaint && !isQuiet() ? process.stdout : undefined;
    },
    readInput,
    print: (text) => output.write(text.endsWith("\n") ? text : `${text}\n`),
    note(text) {
      if (isQuiet()) held.push(text);
      else notes.write(`${text}\n`);
    },
    tellHeldNotes() {
      for (const text of held) notes.write(`${text}\n`);
    },
    divertTools() {
      const undo = [output, notes].map((writer) => writer.divert(notes.write));
      return () => {
        for (const each of undo) each();
      };
    },
    style: (format, text) => colour(format, text, process.stdout),
  };
}

/** Read as a stream: a pipe may be slow, and one that does not block cannot be read at once. */
async function readInput(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY)
    throw new BatonError(
      "no-input",
      'there is no input: write the task of the crew after the path, as in baton run crew "Start quiz"',
    );
  stdin.setEncoding("utf8");
  let input = "";
  for await (const part of stdin) input += part;
  return input.trimEnd();
}

interface Writer {
  readonly write: (text: string) => void;
  /** Hands over what others write to the stream, until the returned function is called. */
  divert(onPrinted: (text: string) => void): () => void;
}

/** A reader that closes the pipe early, such as `head`, has what it wants: it gets no more output, and the command still ends with its exit code. */
function createWriter(stream: NodeJS.WriteStream, isRaw: () => boolean): Writer {
  let isRead = true;
  let direct: ((text: string) => void) | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    isRead = false;
    // Nobody reads at a terminal that was closed, either.
    if (error.code === "EPIPE" || (error.code === "EIO" && stream.isTTY)) return;
    process.exitCode = exitCodes.failed;
    // Saying it on standard error would fail again, for ever, where that is what failed.
    if (stream !== process.stderr)
      process.stderr.write(`error: what was printed could not be written: ${error.message}\n`);
  });
  return {
    write(text) {
      if (!isRead) return;
      const written = !stream.isTTY && isRaw() ? text : makeWritable(text);
      if (direct === undefined) stream.write(written);
      else direct(written);
    },
    divert(onPrinted) {
      direct = stream.write.bind(stream);
      const release = divert(stream, onPrinted);
      return () => {
        direct = undefined;
        release();
      };
    },
  };
}
