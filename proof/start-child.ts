import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChildReport, ChildTask } from "./crash-child.ts";

/** The program that does a task; thousands of processes start sooner if it is bundled. */
export type ChildProgram = string;

const source: ChildProgram = fileURLToPath(new URL("./crash-child.ts", import.meta.url));

/** Bundles the program into a folder. */
export async function bundleProgram(folder: string): Promise<ChildProgram> {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({ input: source, platform: "node" });
  // By this ending Node knows what kind of module it is, and does not have to find out.
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  return join(folder, "crash-child.mjs");
}

/** Gives what the process tells; undefined where it was killed. */
export function startChild(program: ChildProgram, task: ChildTask): Promise<ChildReport | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(task)], {
      stdio: ["ignore", "pipe", "pipe"],
      // The processes load the same modules, and none of them has a key of somebody's.
      env: { PATH: process.env["PATH"], HOME: task.folder, NODE_COMPILE_CACHE: join(tmpdir(), "baton-proof-cache") },
    });
    let [told, errors] = ["", ""];
    child.stdout.on("data", (chunk) => (told += chunk));
    child.stderr.on("data", (chunk) => (errors += chunk));
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve(undefined);
      else if (code === 0) resolve(JSON.parse(told));
      else reject(new Error(`${task.scenario} ended with ${code ?? signal}: ${errors}`));
    });
  });
}
