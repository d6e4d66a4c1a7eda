import { spawn } from "node:child_process";
import type { ShellTools } from "../../vocabulary/tool-set.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { resolveBelow } from "./file-scope.ts";
import { describeObject } from "./file-tools.ts";

interface RunArguments {
  readonly program?: string;
  readonly args?: readonly string[];
  readonly command?: string;
  readonly folder?: string;
  readonly input?: string;
}

/** What every program gets of the environment. Keys and tokens are not among it. */
const USUAL: readonly string[] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "SystemRoot"];

/** A tool that starts programs. */
export function createShellTool(
  name: string,
  set: ShellTools,
  variables: Readonly<Record<string, string | undefined>>,
): Tool {
  const programs = set.programs.join(", ");
  return defineTool({
    name,
    description: set.hasShell
      ? `Runs a command line, or a program with arguments${programs === "" ? "" : ` (${programs})`}.`
      : `Runs a program with a list of arguments, without a shell. Programs: ${programs}.`,
    parameters: describeObject(
      {
        program: set.hasShell ? { type: "string" } : { type: "string", enum: set.programs },
        args: { type: "array", items: { type: "string" } },
        ...(set.hasShell && { command: { type: "string", description: "A command line for /bin/sh." } }),
        folder: { type: "string", description: "Where to run it, relative to the folder that may be used." },
        input: { type: "string", description: "What the program reads from standard input." },
      },
      set.hasShell ? [] : ["program"],
    ),
    effect: "once",
    sequential: true,
    needsApproval: set.needsApproval,
    execute: async (args: RunArguments, { signal }) => {
      const [program, list] = chooseProgram(set, args);
      const cwd = await resolveBelow(set.folder, args.folder ?? ".");
      return runProgram(program, list, { set, cwd, input: args.input, env: selectVariables(set, variables) }, signal);
    },
  });
}

function chooseProgram(set: ShellTools, { program, args = [], command }: RunArguments): [string, readonly string[]] {
  if (command !== undefined && program !== undefined) throw new Error("give 'program' or 'command', not both");
  if (command !== undefined) {
    if (!set.hasShell) throw new Error("there is no shell here: give 'program' and 'args'");
    return ["/bin/sh", ["-c", command]];
  }
  if (program === undefined) throw new Error("'program' is missing");
  // A name is looked up in PATH. With a slash it could be any file.
  if (!set.programs.includes(program)) {
    const some = set.programs.length === 0 ? "none" : set.programs.join(", ");
    throw new Error(`'${program}' may not be run; programs that may: ${some}`);
  }
  return [program, args];
}

function selectVariables(
  { env }: ShellTools,
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const names = [...USUAL, ...env];
  return Object.fromEntries(
    names.flatMap((each) => {
      const value = variables[each];
      return value === undefined ? [] : [[each, value]];
    }),
  );
}

interface Running {
  readonly set: ShellTools;
  readonly cwd: string;
  readonly input: string | undefined;
  readonly env: Record<string, string>;
}

/** Runs a program to its end, in a process group of its own, so that what it starts ends with it. */
function runProgram(program: string, args: readonly string[], running: Running, signal: AbortSignal): Promise<string> {
  const { set, cwd, input, env } = running;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: "pipe", shell: false });
    const output = createOutput(set.maxOutputChars);
    let ended = "";
    const kill = (why: string) => {
      ended = why;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // The group is gone already.
        child.kill("SIGKILL");
      }
    };
    const timer = setTimeout(() => kill(`it was ended after ${set.timeoutMs / 1000} s`), set.timeoutMs);
    const onAbort = () => kill("the call was given up");
    signal.addEventListener("abort", onAbort, { once: true });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => output.add(bytes));
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    child.on("error", (error) => {
      settle();
      reject(new Error(`'${program}' could not be started: ${error.message}`));
    });
    child.on("close", (code, by) => {
      settle();
      const how = ended === "" ? (code === null ? `it was ended by ${by}` : `exit code ${code}`) : ended;
      resolve(`[${how}]\n${output.text()}`.trimEnd());
    });
  });
}

/** Keeps the first and the last part of an output. */
function createOutput(maxChars: number) {
  const half = Math.floor(maxChars / 2);
  let [head, tail, dropped] = ["", "", 0];
  return {
    add(bytes: Buffer): void {
      const text = bytes.toString("utf8");
      const room = Math.max(0, half - head.length);
      head += text.slice(0, room);
      tail += text.slice(room);
      dropped += Math.max(0, tail.length - half);
      tail = tail.slice(-half);
    },
    text: () => (dropped === 0 ? head + tail : `${head}\n[${dropped} characters left out]\n${tail}`),
  };
}
