import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { packageCommand } from "./package-command.ts";

const source = fileURLToPath(new URL("../bin/baton.js", import.meta.url));

export interface BatonResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command in a process of its own, without colours; from its sources where Node is told to watch them. */
export function runBaton(
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly nodeArgs?: readonly string[];
    readonly input?: string;
    readonly home?: string;
  } = {},
): BatonResult {
  const { nodeArgs } = options;
  const command = nodeArgs === undefined ? [packageCommand()] : [...nodeArgs, source];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...command, ...args], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", BATON_HOME: options.home ?? findHome() },
    input: options.input ?? "",
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  return { exitCode: status, stdout, stderr };
}

/** Starts the command, and gives its exit code when it ends. */
export function startBaton(args: readonly string[], cwd: string, own = findHome()): Promise<number | null> {
  const started = spawn(process.execPath, [packageCommand(), ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", BATON_HOME: own },
    stdio: "ignore",
  });
  return new Promise((resolve) => started.on("exit", resolve));
}

function findHome(): string | undefined {
  return process.env["BATON_TESTS_HOME"];
}
