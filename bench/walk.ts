import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Report } from "./report.ts";

/** What V8 writes of the scripts that a process ran. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

const root = fileURLToPath(new URL("..", import.meta.url));
const source = pathToFileURL(join(root, "src/")).href;

/** How far the way is from the command line to a run's last event: the files and functions that one run goes through. */
export function measure(): Report {
  const perFolder = new Map<string, number>();
  const called = calledFunctions();
  for (const { file } of called) {
    const [folder = ""] = file.split("/");
    perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
  }
  const folders = [...perFolder].toSorted(([, a], [, b]) => b - a).map(([folder, count]) => `${folder} ${count}`);
  return {
    figures: [
      {
        name: "files of which a run calls something",
        value: new Set(called.map(({ file }) => file)).size,
        unit: "files",
      },
      { name: "functions that a run calls", value: called.length, unit: "functions" },
    ],
    notes: [`functions by folder: ${folders.join(", ")}`],
  };
}

function calledFunctions(): { readonly file: string }[] {
  const folder = mkdtempSync(join(tmpdir(), "baton-walk-"));
  try {
    const run = [
      "run",
      "examples/quiz",
      "Start the exam",
      "--script",
      "examples/quiz/demo.script.yaml",
      "--no-journal",
    ];
    const env = { ...process.env, NODE_V8_COVERAGE: folder };
    execFileSync(process.execPath, ["bin/baton.js", ...run], { cwd: root, env, stdio: "ignore" });
    return readdirSync(folder).flatMap((name) => {
      const { result }: Coverage = JSON.parse(readFileSync(join(folder, name), "utf8"));
      const own = result.filter(({ url }) => url.startsWith(source));
      return own.flatMap(({ url, functions }) =>
        // The first range without a name is the module itself.
        functions
          .slice(1)
          .flatMap(({ ranges: [range] }) =>
            range !== undefined && range.count > 0 ? [{ file: url.slice(source.length) }] : [],
          ),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
