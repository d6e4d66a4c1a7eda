import { type Command, InvalidArgumentError, Option } from "commander";
import { addCommand, collectPair, rootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands about runs that are kept. */
export function addRunCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutResume = "answer a paused run, or go on with one whose process died";
  addCommand(program, "resume <run> [answer...]", aboutResume, "baton resume last approve")
    .option("--accept-changes", "go on although the crew has changed since")
    .option("--original", "go on with the crew as it was")
    .option("--yes", "start the MCP servers that the crew names without asking, and say which")
    .option("--script <file>", "replies from a file, in the place of calling any model")
    .option("--model <names>", "provider/model, several separated by commas, in the place of the crew's own")
    .option("--verbose", "say on standard error which way the run takes")
    .option("--events", "print every event as a line of JSON")
    .option("--json", "print the result as JSON")
    .addOption(rootOption())
    .action(async (run, answer, options) =>
      exit(await (await import("./resume.ts")).resume(run, answer, options, terminal)),
    );

  addCommand(program, "cancel <run>", "end a run, wherever it is running", "baton cancel last --graceful")
    .option("--graceful", "let the turn under way finish")
    .option("--json", "the outcome as JSON")
    .addOption(rootOption())
    .action(async (run, options) => exit(await (await import("./cancel.ts")).cancel(run, options, terminal)));

  const aboutReplay = "go over a run again without calling anything, and compare";
  addCommand(program, "replay <run>", aboutReplay, "baton replay last --current")
    .option("--current", "under the crew as it is now, in the place of the one it was")
    .option("--json", "the outcome as JSON")
    .addOption(rootOption())
    .action(async (run, options) => exit(await (await import("./replay.ts")).replay(run, options, terminal)));

  const aboutFork = "start a new run from an event of another, with one thing changed";
  addCommand(program, "fork <run>", aboutFork, 'baton fork last --at 12 --reply "No. [RETRY]"')
    .addOption(new Option("--at <seq>", "the last event that both have").argParser(readSeq).makeOptionMandatory())
    .option("--reply <text>", "what the model said instead, where that event is its reply")
    .option("--input <text>", "what the run was started or resumed with instead")
    .option("--prompt <agent=text>", "what an agent is told from there on; repeatable", collectPair, {})
    .option("--model <names>", "the models from there on: provider/model, several separated by commas")
    .option("--yes", "start the MCP servers that the crew names without asking, and say which")
    .option("--script <file>", "replies from a file, in the place of calling any model")
    .option("--verbose", "say on standard error which way the run takes")
    .option("--events", "print every event as a line of JSON")
    .option("--json", "print the result as JSON")
    .addOption(rootOption())
    .action(async (run, options) => exit(await (await import("./fork.ts")).fork(run, options, terminal)));

  addCommand(
    program,
    "feedback <run> <verdict> [words...]",
    "say how good a run was",
    'baton feedback last good "fast"',
  )
    .option("--json", "what is kept, as JSON")
    .addOption(rootOption())
    .action(async (run, verdict, words, options) => {
      if (verdict !== "good" && verdict !== "bad") program.error("error: the verdict is 'good' or 'bad'");
      exit(await (await import("./feedback.ts")).feedback(run, verdict, words, options, terminal));
    });
}

function readSeq(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Give the number of an event.");
  return Number(text);
}
