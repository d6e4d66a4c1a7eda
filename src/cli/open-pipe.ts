import { type Readable, Writable } from "node:stream";
import type { Terminal } from "./terminal.ts";

/** Standard input and output for a protocol, whose messages nothing changes. */
export interface Pipe {
  readonly input: Readable;
  readonly output: Writable;
  release(): void;
}

/** Until the pipe is released, all else that is written goes to standard error. */
export function openPipe(terminal: Pick<Terminal, "divertTools">): Pipe {
  const { stdin, stdout } = process;
  const write = stdout.write.bind(stdout);
  const output = new Writable({ write: (chunk, _, done) => void write(chunk, done) });
  const onError = (error: Error) => output.destroy(error);
  stdout.on("error", onError);
  const release = terminal.divertTools();
  return {
    input: stdin,
    output,
    release() {
      release();
      stdout.off("error", onError);
    },
  };
}
