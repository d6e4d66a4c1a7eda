import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { startOtlpReceiver } from "./otlp-receiver.ts";
import { treeOf } from "./span-tree.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(root, "test", "planted-otel-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const page = readFileSync(join(root, "docs/telemetry.md"), "utf8");
const [, registering = ""] = /`otel.mjs`\n\n```js\n([\s\S]*?)```/.exec(page) ?? [];
const file = join(scratch, "otel.mjs");
writeFileSync(file, registering);

/** Runs the quiz under the registration that the docs show. */
async function runTraced(env: Readonly<Record<string, string>>): Promise<string> {
  const args = [
    "--import",
    pathToFileURL(file).href,
    join(root, "bin/baton.js"),
    "run",
    "examples/quiz",
    "Start the exam",
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, "--script", "bench/first-answer.script.yaml"],
    {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1", BATON_HOME: scratch, ...env },
    },
  );
  return stdout;
}

it("a command is traced by what Node imports before it, as the docs show, and sends all of it before it ends", async () => {
  await using receiver = await startOtlpReceiver();
  const OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url.replace("/v1/traces", "");
  await runTraced({ OTEL_EXPORTER_OTLP_ENDPOINT });
  const spans = receiver.take();
  expect(treeOf(spans).slice(0, 3)).toEqual([
    expect.stringMatching(/^invoke_workflow /),
    expect.stringMatching(/^ {2}invoke_agent /),
    expect.stringMatching(/^ {4}chat /),
  ]);
  expect(JSON.stringify(spans)).not.toContain("Start the exam");

  await runTraced({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" });
  expect(JSON.stringify(receiver.take())).toContain("Start the exam");
});

it("a command answers where nobody receives what is traced", async () => {
  const reached = await runTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    OTEL_EXPORTER_OTLP_TIMEOUT: "100",
  });
  expect(reached).not.toBe("");
});
