import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadDefinition } from "../src/definition/load-definition.ts";
import { diagnosticCodes } from "../src/vocabulary/diagnostic.ts";
import { mutate, randomFrom } from "./mutate.ts";

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  /** More CPU than this for one crew is a failure; not looked at when absent. */
  readonly maxCpuMs?: number;
}

interface FuzzFailure {
  readonly seed: number;
  readonly reason: string;
  readonly file: string;
  readonly text: string;
}

export interface FuzzResult {
  readonly count: number;
  readonly failures: readonly FuzzFailure[];
  readonly codes: ReadonlySet<string>;
  readonly slowestMs: number;
}

const examples = fileURLToPath(new URL("../examples", import.meta.url));

/** Damages one file of an example at a time and loads the crew: whatever is in it, loading must end in diagnostics. */
export function fuzzLoading({ count, seed, maxCpuMs = Number.POSITIVE_INFINITY }: FuzzOptions): FuzzResult {
  const root = mkdtempSync(join(tmpdir(), "baton-fuzz-"));
  cpSync(examples, root, { recursive: true });
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(md|yaml)$/.test(name) && !name.endsWith("README.md"))
    .map((name) => ({ path: join(root, name), name, text: readFileSync(join(root, name), "utf8") }));
  const failures: FuzzFailure[] = [];
  const codes = new Set<string>();
  let slowestMs = 0;
  for (let run = 0; run < count; run++) {
    const random = randomFrom(seed + run);
    const file = files[random(files.length)];
    if (file === undefined) continue;
    const text = mutate(file.text, random);
    writeFileSync(file.path, text);
    const { reason, cpuMs } = loadOnce(crewOf(file.name), root, codes);
    writeFileSync(file.path, file.text);
    slowestMs = Math.max(slowestMs, run < 50 ? 0 : cpuMs);
    // The first runs also pay for compiling the loader.
    const isSlow = run >= 50 && cpuMs > maxCpuMs;
    if (reason !== undefined || isSlow) {
      failures.push({ seed: seed + run, reason: reason ?? `took ${cpuMs} ms of CPU`, file: file.name, text });
    }
  }
  rmSync(root, { recursive: true });
  return { count, failures, codes, slowestMs };
}

function loadOnce(
  path: string,
  root: string,
  codes: Set<string>,
): { readonly reason: string | undefined; readonly cpuMs: number } {
  const before = process.cpuUsage();
  let reason: string | undefined;
  try {
    const { diagnostics } = loadDefinition(path, { workingDirectory: root, root });
    for (const diagnostic of diagnostics) {
      codes.add(diagnostic.code);
      const isWhole =
        diagnostic.code in diagnosticCodes &&
        diagnostic.line >= 1 &&
        diagnostic.column >= 1 &&
        diagnostic.message !== "";
      if (!isWhole) reason = `a malformed diagnostic: ${JSON.stringify(diagnostic)}`;
    }
  } catch (error) {
    reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { user, system } = process.cpuUsage(before);
  return { reason, cpuMs: (user + system) / 1000 };
}

/** The crew that a file of the examples belongs to; sub-crews are loaded through their master. */
function crewOf(name: string): string {
  const [example = ""] = name.split("/");
  return example === "multi-team" ? "multi-team/master" : example;
}
