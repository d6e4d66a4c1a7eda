import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runScenarios } from "../src/scenario/run-scenarios.ts";
import type { Report } from "./report.ts";

const COUNT = 1000;

/** A thousand small scenarios of one folder, as `baton test` plays them. */
export async function measure(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-"));
  try {
    writeScenarios(folder);
    const from = performance.now();
    const { passed } = await runScenarios(["."], { workingDirectory: folder });
    const seconds = (performance.now() - from) / 1000;
    return {
      figures: [
        { name: "passed", value: passed, unit: "scenarios", target: { atLeast: COUNT } },
        { name: `${COUNT} scenarios`, value: seconds, unit: "s", target: { atMost: 10 } },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeScenarios(folder: string): void {
  mkdirSync(join(folder, "agents"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(
    join(folder, "crew.yaml"),
    'version: "2.0"\nname: pair\nagents: [a, b]\nrouting: { signals: { a: [{ signal: "[ON]", target: b }] } }\n',
  );
  for (const id of ["a", "b"]) writeFileSync(join(folder, "agents", `${id}.md`), "Say [ON].");
  for (let n = 0; n < COUNT; n++)
    writeFileSync(
      join(folder, `${n}.scenario.yaml`),
      `name: number ${n}\nrun: .\ninput: Hello\nscript: { a: ["one [ON]"], b: ["two"] }\nexpect: { status: completed, path: [a, b] }\n`,
    );
}
