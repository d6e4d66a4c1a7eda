import { type Command, InvalidArgumentError, Option } from "commander";
import { addCommand, addRunOptions, collectPair, createRootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands about stored runs. */
export function addRunCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutResume = "answer a paused run, or continue one whose process died";
  const resuming = addCommand(program, "resume [run] [answer...]", aboutResume, "baton resume last approve")
    .option("--accept-changes", "go on although the crew has changed since")
    .addOption(new Option("--original", "continue with the crew as it was").conflicts("acceptChanges"))
    .option(
      "--wait",
      "wait until no other process has the run, or can still be running the tool that did not happen, instead of refusing",
    )
    .option("--expired", "apply the deadlines of all paused runs whose deadline has passed, in the place of one run")
    .addOption(createCrewOption());
  addRunOptions(resuming, "provider/model, several separated by commas, in the place of the crew's own").action(
    async (run, answer, options) => {
      if (options.expired && run !== undefined) program.error("error: give either a run or --expired");
      if (options.expired) exit(await (await import("./resume-expired.ts")).resumeExpired(options, terminal));
      else if (run === undefined) program.error("error: give a run: its id, the beginning of it, or 'last'");
      else exit(await (await import("./resume-command.ts")).resume(run, answer, options, terminal));
    },
  );

  addCommand(program, "cancel <run>", "end a run, wherever it is running", "baton cancel last --graceful")
    .option("--graceful", "let the turn under way finish, with its tool calls")
    .option("--json", "print the outcome as JSON")
    .addOption(createRootOption())
    .action(async (run, options) => exit(await (await import("./cancel-command.ts")).cancel(run, options, terminal)));

  const aboutReplay = "replay a run without calling anything, and compare";
  addCommand(program, "replay <run>", aboutReplay, "baton replay last --current")
    .option("--current", "under the crew as it is now, in the place of the one it was")
    .option("--json", "print the outcome as JSON")
    .addOption(createRootOption())
    .action(async (run, options) => exit(await (await import("./replay-command.ts")).replay(run, options, terminal)));

  const aboutFork = "start a new run from an event of another, with one thing changed";
  const forking = addCommand(program, "fork <run>", aboutFork, 'baton fork last --at 3 --reply "Passed. [END_EXAM]"')
    .addOption(new Option("--at <seq>", "the last event that both have").argParser(readSeq).makeOptionMandatory())
    .option("--reply <text>", "what the model said instead, where that event is its reply")
    .option(
      "--input <text>",
      "what the user says there instead: the input, the words of an answer, or after happened the tool's result",
    )
    .option("--prompt <agent=text>", "what an agent is told from there on; repeatable", collectPair);
  addRunOptions(
    forking.addOption(createCrewOption()),
    "the models from there on: provider/model, several separated by commas",
  ).action(async (run, options) => exit(await (await import("./fork-command.ts")).fork(run, options, terminal)));

  const aboutFeedback = "say how good a run was";
  const judging = addCommand(program, "feedback <run> <verdict> [words...]", aboutFeedback, "baton feedback last good")
    .option("--json", "print what is stored as JSON")
    .addOption(createRootOption())
    .action(async (run, verdict, words, options) =>
      exit(await (await import("./feedback-command.ts")).feedback(run, verdict, words, options, terminal)),
    );
  judging.registeredArguments[1]?.choices(["good", "bad"]);
}

function createCrewOption(): Option {
  return new Option("--crew <path>", "where the crew's files are, in the place of where the run says");
}

function readSeq(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Write the number of an event.");
  return Number(text);
}
