import { join } from "node:path";
import { defineTool } from "../src/index.ts";
import { agentFiles } from "./load-written-crew.ts";
import { type Watching, watchRun } from "./watch-run.ts";
import { writeCrew } from "./write-crew.ts";

const lookup = defineTool({ name: "lookup", description: "d", effect: "read", execute: () => "4\u001b[2J" });
const pay = defineTool({ name: "pay", description: "d", needsApproval: true, execute: () => "paid" });

/** Runs a crew on replies, and gives what a terminal shows of it. */
export async function watch(
  crew: string,
  agents: Readonly<Record<string, string>>,
  replies: string,
  watching: Partial<Watching>,
) {
  const folder = writeCrew({
    "crew.yaml": `version: "2.0"\nname: panel\nagents: [${Object.keys(agents).join(", ")}]\n${crew}\n`,
    ...agentFiles(agents),
    "replies.yaml": replies,
  });
  const script = join(folder, "replies.yaml");
  const whole = { columns: 79, script, tools: [lookup, pay], ...watching };
  const { lines, summary, peeked } = await watchRun(folder, "Begin", whole);
  return { screen: lines.join("\n"), summary: summary.join("\n"), peeked: peeked.map((each) => each.join("\n")) };
}
