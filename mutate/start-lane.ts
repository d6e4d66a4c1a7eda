import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "./copy-project.ts";
import type { LaneResult, LaneTask } from "./lane.ts";

/** One process after another that runs tests: one that does not answer in time is ended with all that it started. */
export interface Lane {
  /** Gives nothing where the time is up. */
  run(task: LaneTask, limitMs: number): Promise<LaneResult | undefined>;
  end(): Promise<void>;
}

/** In the copy, as all that it loads. */
const program = relative(projectRoot, fileURLToPath(new URL("./lane.ts", import.meta.url)));

export function startLane(root: string): Lane {
  let running: Promise<ChildProcess> | undefined;
  const end = async (): Promise<void> => {
    const child = await running;
    running = undefined;
    // The group of processes that it leads, which no other belongs to.
    if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
  return {
    async run(task, limitMs) {
      running ??= startProcess(root);
      const child = await running;
      const result = await ask(child, task, limitMs);
      if (result === undefined) await end();
      return result;
    },
    end,
  };
}

async function startProcess(root: string): Promise<ChildProcess> {
  const temporary = join(root, "tmp");
  mkdirSync(temporary, { recursive: true });
  const child = spawn(process.execPath, [join(root, program)], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: join(root, "compiled") },
  });
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`the process that runs tests ended with ${code} as it began`)));
  });
  return child;
}

function ask(child: ChildProcess, task: LaneTask, limitMs: number): Promise<LaneResult | undefined> {
  return new Promise((resolve) => {
    const settle = (result: LaneResult | undefined) => {
      clearTimeout(timer);
      child.off("message", settle).off("exit", onExit);
      resolve(result);
    };
    const onExit = () => settle(undefined);
    const timer = setTimeout(() => settle(undefined), limitMs);
    child.once("message", settle).once("exit", onExit);
    child.send(task);
  });
}
