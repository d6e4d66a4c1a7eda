/**
 * A process whose tools kill it with SIGKILL: `call-worker.ts <folder> <minutes later> [run to recover]`. Each attempt at a call
 * writes a line to `<folder>/attempts.log` first. A tool lives at its third attempt.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineCrew, defineTool, openSqliteStore, script, type ToolContext } from "../src/index.ts";
import { systemClock } from "../src/run/clock.ts";

const [, , folder = "", minutes = "0", runId] = process.argv;
const log = join(folder, "attempts.log");
const clock = { ...systemClock, now: () => Date.now() + Number(minutes) * 60_000 };
const store = await openSqliteStore(join(folder, "journal.sqlite"), { clock });

async function attempt(context: ToolContext): Promise<string> {
  const { signal: _, context: given, ...told } = context;
  appendFileSync(log, `${JSON.stringify({ ...told, given })}\n`);
  if (told.attempt < 3) process.kill(process.pid, "SIGKILL");
  return new Promise((resolve) => setImmediate(resolve, "charged"));
}

const charge = defineTool({
  name: "charge",
  description: "charges a card",
  effect: "idempotent",
  execute: (_, context) => attempt(context),
});
const crew = defineCrew(
  {
    name: "till",
    agents: [
      { id: "clerk", description: "takes orders", prompt: "Charge.", tools: ["charge"] },
      { id: "printer", description: "prints", run: (_, context) => attempt(context), effect: "idempotent" },
    ],
    tools: [charge],
  },
  {
    store,
    clock,
    context: ({ user, isContinued }) => ({ greeting: `Hello ${user}`, isContinued }),
    script: script({ clerk: [{ tools: [{ name: "charge" }, { name: "charge" }] }, "Paid."] }),
  },
);
const run = runId === undefined ? crew.start("Two coffees", { user: "ada" }) : crew.recover(runId);
const { status } = await run.result;
process.stdout.write(`${run.id} ${status} ${existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0}`);
await store.close();
