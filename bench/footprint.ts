import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defineAgent, defineCrew } from "../src/index.ts";
import { collect, heapUsed } from "./heap.ts";
import { type Figure, median } from "./report.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What it takes to have Baton: an agent's memory, the time to start, the room on the disk. */
export function footprintFigures(): Figure[] {
  return [...agentFigures(), ...startFigures(), installedFigure()];
}

function agentFigures(): Figure[] {
  const make = (count: number) =>
    defineCrew({
      name: "many",
      models: ["fake/model"],
      agents: Array.from({ length: count }, (_, index) =>
        defineAgent({ id: `agent_${index}`, description: "works", prompt: "Work." }),
      ),
    });
  const first = make(1000);
  collect();
  const before = heapUsed();
  const crews = Array.from({ length: 4 }, () => make(1000));
  collect();
  const agents = crews.reduce(
    (sum, { definition }) => sum + definition.agents.size,
    first.definition.agents.size - 1000,
  );
  const bytes = (heapUsed() - before) / agents;
  return [{ name: "an agent, of a crew of 1,000", value: bytes, unit: "bytes", target: { atMost: 2048 } }];
}

/** Wall time over a Node that does nothing, in turns with it, compile cache warm; of the built package. */
function startFigures(): Figure[] {
  execFileSync("npm", ["run", "build"], { cwd: root, stdio: "ignore" });
  const entry = pathToFileURL(join(root, "dist/index.js")).href;
  const load = ["--input-type=module", "-e", `import ${JSON.stringify(entry)}; process.exit()`];
  const crew = join(root, "examples/quiz");
  const script = join(root, "bench/first-answer.script.yaml");
  // As it is published; in a checkout the command runs from its sources.
  const main = pathToFileURL(join(root, "dist/cli/main.js")).href;
  const start = `require("node:module").enableCompileCache(); import(${JSON.stringify(main)}).then(({ main }) => main(process.argv))`;
  const run = ["-e", start, "baton", "run", crew, "Start", "--script", script];
  const [bare, imported, answered] = medians([["-e", "0"], load, run]);
  return [
    { name: "importing the library, over node -e 0", value: imported - bare, unit: "ms", target: { atMost: 80 } },
    { name: "first answer of baton run, over node -e 0", value: answered - bare, unit: "ms", target: { atMost: 200 } },
  ];
}

function medians(commands: readonly (readonly string[])[]): [number, number, number] {
  const env = { ...process.env, BATON_HOME: mkdtempSync(join(tmpdir(), "baton-bench-")) };
  const walls = commands.map(() => [] as number[]);
  for (let round = 0; round < 16; round++) {
    for (const [index, args] of commands.entries()) {
      const before = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
      if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
      // The first round fills the compile cache.
      if (round > 0) walls[index]?.push(performance.now() - before);
    }
  }
  const [bare = [], imported = [], answered = []] = walls;
  return [median(bare), median(imported), median(answered)];
}

/** The runtime dependencies as they are installed. */
function installedFigure(): Figure {
  const lock: { readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>> } =
    JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const folders = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  const bytes = folders.reduce((sum, [path]) => sum + sizeOf(join(root, path)), 0);
  return { name: "runtime dependencies installed", value: bytes / 2 ** 20, unit: "MB", target: { atMost: 30 } };
}

function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
