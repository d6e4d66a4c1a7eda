import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
const driver = fileURLToPath(new URL("./in-terminal.py", import.meta.url));

/** Typed, it closes the terminal instead. */
export const HANG_UP = "\u001fhang up";

export interface Typing {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, each as soon as a text has appeared after what was typed before. */
  readonly keys?: readonly (readonly [shown: string, typed: string])[];
}

/** Runs the real command in a terminal of 80 by 24, and gives all that was written to it. */
export async function runInTerminal(args: readonly string[], { cwd, env = {}, keys = [] }: Typing) {
  const command = ["python3", driver, "80", "24", process.execPath, bin, ...args];
  const [program = "", ...rest] = command;
  const child = spawn(program, rest, { cwd, env: { ...process.env, TERM: "xterm", NO_COLOR: "1", ...env } });
  const waiting = [...keys];
  let written = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    written += chunk;
    const [next] = waiting;
    const at = next === undefined ? -1 : written.indexOf(next[0], seen);
    if (next === undefined || at < 0) return;
    waiting.shift();
    seen = at + next[0].length;
    child.stdin.write(next[1]);
  });
  const exitCode = await new Promise<number | null>((done) => child.on("close", done));
  return { exitCode, written };
}

/** What a terminal shows in the end of what was written to it, with all that has scrolled away above. */
export function screenOf(written: string): string {
  const cursor = { lines: [""], row: 0, column: 0 };
  const introducer = String.fromCharCode(27);
  const parts = new RegExp(`${introducer}\\[\\??(\\d*)([a-zA-Z])|[^]`, "gu");
  for (const [part, count = "", command] of written.matchAll(parts)) {
    if (command === undefined) put(cursor, part);
    else obey(cursor, command, Number(count));
    while (cursor.lines.length <= cursor.row) cursor.lines.push("");
  }
  return cursor.lines.map((line) => line.trimEnd()).join("\n");
}

interface Cursor {
  readonly lines: string[];
  row: number;
  column: number;
}

function put(cursor: Cursor, character: string): void {
  if (character === "\r") cursor.column = 0;
  else if (character === "\n") cursor.row++;
  else {
    const line = (cursor.lines[cursor.row] ?? "").padEnd(cursor.column);
    cursor.lines[cursor.row] = line.slice(0, cursor.column) + character + line.slice(cursor.column + 1);
    cursor.column++;
  }
}

function obey(cursor: Cursor, command: string, count: number): void {
  const { lines, row, column } = cursor;
  const left = (lines[row] ?? "").slice(0, column);
  if (command === "A") cursor.row = Math.max(0, row - count);
  else if (command === "G") cursor.column = count - 1;
  else if (command === "K") lines[row] = count === 2 ? "" : left;
  else if (command === "J") lines.splice(row, lines.length, left);
}
