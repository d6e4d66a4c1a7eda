import { globSync } from "node:fs";
import { dirname, relative } from "node:path";
import { parseArgs } from "node:util";
import { checkAnyRun } from "../fuzz/check-run.ts";
import { type BatonEvent, type CrewHandle, openMemoryStore, type ResumeAnswer, type RunResult } from "../src/index.ts";
import { openFiles } from "../src/library/load-crew.ts";
import { startBabbler } from "./babbler.ts";

/**
 * `npm run proof:model [-- --model provider/model] [--rounds N] [crews]`: runs the examples on a model that nobody scripted, and
 * looks whether every run keeps the rules of a run and can be replayed. Without a model, a server that babbles is one.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: "string" },
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});

/** Those that are called by none of the others. */
const examples = globSync(["examples/*/crew.yaml", "examples/*/master/crew.yaml"]).map(dirname).sort();
const crews = positionals.length > 0 ? positionals : examples;
const babbler = values.model === undefined ? await startBabbler(Number(values.seed)) : undefined;
const [provider = "babbler", ...rest] = (values.model ?? "babbler/any").split("/");
const variables = { ...process.env, ...(babbler && { BABBLER_BASE_URL: babbler.url }) };
let failed = 0;

for (const path of crews) {
  const crew = openFiles(
    path,
    {},
    {
      store: openMemoryStore(),
      models: { instead: [{ provider, model: rest.join("/") }], variables },
    },
  );
  const ends = new Map<string, number>();
  for (let round = 0; round < Number(values.rounds); round++) {
    const { end, problems } = await tryOnce(crew);
    ends.set(end, (ends.get(end) ?? 0) + 1);
    for (const problem of problems) console.log(`${path}: ${problem}`);
    if (problems.length > 0) failed++;
  }
  console.log(`${relative("examples", path)}: ${[...ends].map(([end, count]) => `${count} ${end}`).join(", ")}`);
}
babbler?.stop();
console.log(failed === 0 ? "every run kept the rules" : `${failed} runs broke a rule`);
process.exitCode = failed === 0 ? 0 : 1;

/** A run, with whatever it asks for answered a few times. */
async function tryOnce(crew: CrewHandle): Promise<{ readonly end: string; readonly problems: readonly string[] }> {
  const kept: BatonEvent[] = [];
  const options = { onEvent: (event: BatonEvent) => void (event.seq !== undefined && kept.push(event)) };
  let result: RunResult = await crew.run("Please help: what shall we do about the printer?", options);
  for (let answers = 0; result.paused !== undefined && answers < 3; answers++)
    result = await crew.resume(result.runId, answerTo(result.paused), options).result;
  const { divergence } = await crew.replay(result.runId);
  const replayed = divergence === undefined ? [] : [`replayed, it differs: ${JSON.stringify(divergence)}`];
  return { end: `${result.status} (${result.stopReason})`, problems: [...checkAnyRun(kept), ...replayed] };
}

function answerTo({ options }: NonNullable<RunResult["paused"]>): ResumeAnswer {
  return options.includes("approve") ? { decision: "approve" } : { input: "Yes, go on." };
}
