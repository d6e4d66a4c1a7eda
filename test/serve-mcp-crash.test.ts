import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { connectHttp } from "./mcp-clients.ts";
import { packageCommand } from "./package-command.ts";
import { writeCrew } from "./write-crew.ts";

const cwd = writeCrew({
  "baton.yaml": "",
  "crew.yaml": `version: "2.0"\nname: desk\nagents: [helper]\n`,
  "agents/helper.md": "---\nid: helper\nmodels: [openai/x]\n---\nHelp.",
  "slow.yaml": `helper: [{ text: "Late.", latency_ms: 60000 }]\n`,
  "quick.yaml": `helper: ["Done."]\n`,
});

async function serve(replies: string) {
  const child = spawn(
    process.execPath,
    [packageCommand(), "serve", ".", "--port", "0", "--json", "--script", replies],
    {
      cwd,
      env: { ...process.env, BATON_TOKEN: "bt_operator", BATON_HOME: process.env["BATON_TESTS_HOME"] },
      stdio: "pipe",
    },
  );
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, url: (JSON.parse(line.toString()) as { url: string }).url };
}

it("a client finds its run after kill -9 of the server in the middle of a call, and gets its result", async () => {
  const first = await serve("slow.yaml");
  const client = await connectHttp(first);
  const begun = Promise.withResolvers<void>();
  let runId = "";
  const onProgress = (message: string) => {
    runId = /run_\w+/.exec(message)?.[0] ?? runId;
    if (message === "helper is at work") begun.resolve();
  };
  const call = client.call("desk", { input: "x" }, { onProgress });
  call.catch(() => {});
  await begun.promise;
  first.child.kill("SIGKILL");

  const second = await serve("quick.yaml");
  try {
    const again = await connectHttp(second);
    expect((await again.call("get_run")).content[0]?.text).toContain(runId);
    // The lease of the server that died ends first, and the model call that was under way is made again.
    await expect
      .poll(async () => (await again.call("get_run", { runId, wait: 5 })).structuredContent, { timeout: 40_000 })
      .toMatchObject({ status: "completed", output: "Done." });
  } finally {
    second.child.kill("SIGTERM");
    await once(second.child, "exit");
  }
}, 60_000);
