import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadDefinition } from "../src/definition/load-definition.ts";
import { type Figure, median, type Report } from "./report.ts";

const ROUNDS = 7;

/** Loading and checking crews of many agents, and how long the smallest `baton check` takes to start. */
export function measure(): Report {
  const scratch = mkdtempSync(join(tmpdir(), "baton-bench-"));
  try {
    const few = writeCrew(join(scratch, "few"), 100);
    const many = writeCrew(join(scratch, "many"), 1000);
    const smallest = writeCrew(join(scratch, "smallest"), 1);
    load(few);
    load(many);
    const perHundred = median(rounds(() => cpuOf(() => load(few))));
    const ratio = median(rounds(() => cpuOf(() => load(many)) / cpuOf(() => load(few))));
    return {
      figures: [
        { name: "100 agents loaded and checked", value: perHundred, unit: "ms of CPU" },
        { name: "1,000 agents", value: ratio, unit: "× 100 agents", target: { atMost: 12 } },
        ...startFigures(smallest),
      ],
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Wall time of the whole command, compile cache warm, against a Node that does nothing. */
function startFigures(crew: string): Figure[] {
  const baton = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
  const start = (args: readonly string[]) => wallOf(() => spawnSync(process.execPath, args));
  start([baton, "check", crew]);
  const bare = rounds(() => start(["-e", "0"]));
  const check = rounds(() => start([baton, "check", crew]));
  return [
    { name: "node -e 0", value: median(bare), unit: "ms" },
    { name: "baton check of one agent", value: median(check) / median(bare), unit: "× node -e 0" },
    { name: "baton check over node -e 0", value: median(check) - median(bare), unit: "ms" },
  ];
}

/** A chain of agents that pass on by signal, each file with its own frontmatter and prompt. */
function writeCrew(folder: string, count: number): string {
  const ids = Array.from({ length: count }, (_, index) => `agent_${index}`);
  const bindings = ids.map((id, index) => {
    const target = ids[index + 1] ?? "";
    return `    ${id}:\n      - { signal: "[NEXT_STEP]", target: "${target}" }\n      - { signal: "[DONE]", target: "" }`;
  });
  const crew = `version: "2.0"\nname: chain\nentry_point: agent_0\nagents: [${ids.join(", ")}]\nrouting:\n  signals:\n${bindings.join("\n")}\nsettings:\n  on_no_signal: stop\n`;
  mkdirSync(join(folder, "agents"), { recursive: true });
  writeFileSync(join(folder, "crew.yaml"), crew);
  for (const id of ids) {
    const text = `---\ndescription: does the work of ${id}\nmax_turns: 5\n---\nDo your part, then say [NEXT_STEP], or [DONE] when nothing is left.\n`;
    writeFileSync(join(folder, "agents", `${id}.md`), text);
  }
  return folder;
}

function load(folder: string): void {
  const { diagnostics } = loadDefinition(folder, { workingDirectory: folder, root: folder });
  if (diagnostics.length > 0) throw new Error(`the crew of the benchmark has problems: ${diagnostics[0]?.message}`);
}

function rounds(measureOnce: () => number): number[] {
  return Array.from({ length: ROUNDS }, measureOnce);
}

function cpuOf(call: () => void): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function wallOf(call: () => void): number {
  const before = performance.now();
  call();
  return performance.now() - before;
}
