import { divert } from "../divert.ts";

const [hideCursor, showCursor] = ["\u001b[?25l", "\u001b[?25h"];
const keys: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ["\u0003", "SIGINT"],
  ["\u001c", "SIGQUIT"],
]);

export interface TakenTerminal {
  write(text: string): void;
  release(): void;
}

/**
 * Has the terminal to itself until it is released, however the process ends: no cursor, no echo of what is typed, and what
 * others print, such as tools, is handed over instead of going through the picture.
 */
export function takeTerminal(screen: NodeJS.WriteStream, onPrinted: (text: string) => void): TakenTerminal {
  const write = screen.write.bind(screen);
  const giveBack = [divert(screen, onPrinted), divert(process.stderr, onPrinted), muteKeyboard(process.stdin)];
  const release = () => {
    for (const undo of giveBack.splice(0)) undo();
    write(showCursor);
    process.off("exit", release);
  };
  write(hideCursor);
  process.on("exit", release);
  return { write, release };
}

/** Ctrl-C and Ctrl-\ still do what they do. */
function muteKeyboard(input: NodeJS.ReadStream): () => void {
  if (!input.isTTY) return () => {};
  const onData = (typed: Buffer) => {
    for (const key of typed.toString("latin1")) {
      const signal = keys.get(key);
      if (signal !== undefined) process.kill(process.pid, signal);
    }
  };
  input.setRawMode(true);
  input.on("data", onData);
  input.resume();
  return () => {
    input.off("data", onData);
    input.pause();
    input.setRawMode(false);
  };
}
