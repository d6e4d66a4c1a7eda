import { type Command, InvalidArgumentError, Option } from "commander";
import { addCommand, addRunOptions, collectPair, collectText, createRootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands about stored runs. */
export function addRunCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  addResume(program, terminal, exit);
  addCommand(program, "cancel <run>", "cancel a run, whichever process runs it", "baton cancel last --graceful")
    .option("--graceful", "let the current turn finish, with its tool calls")
    .option("--json", "print the outcome as JSON")
    .addOption(createRootOption())
    .action(async (run, options) => exit(await (await import("./cancel-command.ts")).cancel(run, options, terminal)));

  const aboutReplay = "replay a run from its journal without calling anything, and report the first difference";
  addCommand(program, "replay <run>", aboutReplay, "baton replay last --current")
    .option("--current", "replay with the crew as it is now, instead of the crew of the run")
    .option("--json", "print the outcome as JSON")
    .addOption(createRootOption())
    .action(async (run, options) => exit(await (await import("./replay-command.ts")).replay(run, options, terminal)));

  const aboutFork = "start a new run that shares the events of another up to one event, with one thing changed";
  const forking = addCommand(program, "fork <run>", aboutFork, 'baton fork last --at 3 --reply "Passed. [END_EXAM]"')
    .addOption(new Option("--at <seq>", "the number of the last shared event").argParser(readSeq).makeOptionMandatory())
    .option("--reply <text>", "another reply, if the event is a model's reply or a function's result")
    .option(
      "--input <text>",
      "another input, if the event is the input or an answer; after 'happened', the tool's result",
    )
    .option("--prompt <agent=text>", "another prompt for an agent after that event; repeatable", collectPair);
  addRunOptions(
    forking.addOption(createCrewOption()),
    "models to use after that event: provider/model, separated by commas",
  ).action(async (run, options) => exit(await (await import("./fork-command.ts")).fork(run, options, terminal)));

  const aboutDelete = "delete a run, a conversation or everything of a user from the store";
  const deleting = addCommand(program, "delete [what] [id]", aboutDelete, "baton delete run last --yes")
    .option("--crew <name>", "the crew of a user's conversation")
    .option("--user <name>", "the user whose conversation it is")
    .option("--yes", "do not ask")
    .option("--log", "show what was deleted before")
    .option("--json", "print the outcome as JSON")
    .addOption(createRootOption())
    .action(async (what, id, options) =>
      exit(await (await import("./delete-command.ts")).deleteStored(what, id, options, terminal)),
    );
  deleting.registeredArguments[0]?.choices(["run", "conversation", "user"]);

  const aboutFeedback = "record whether a run was good or bad";
  const judging = addCommand(program, "feedback <run> <verdict> [words...]", aboutFeedback, "baton feedback last good")
    .option("--json", "print what is stored as JSON")
    .addOption(createRootOption())
    .action(async (run, verdict, words, options) =>
      exit(await (await import("./feedback-command.ts")).feedback(run, verdict, words, options, terminal)),
    );
  judging.registeredArguments[1]?.choices(["good", "bad"]);
}

function addResume(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutResume = "answer a paused run, or continue one whose process died";
  const resuming = addCommand(program, "resume [run] [answer...]", aboutResume, "baton resume last approve")
    .option("--accept-changes", "continue although the crew has changed")
    .addOption(
      new Option("--original", "continue with the stored copy of the original crew").conflicts("acceptChanges"),
    )
    .option("--file <path>", "a file that comes with the answer; repeatable", collectText)
    .option("--wait", "wait while another process has the run, or may still run its tool (default: refuse)")
    .option("--expired", "apply the decision of every pause whose deadline has passed")
    .addOption(createCrewOption());
  addRunOptions(resuming, "models to use instead of the crew's: provider/model, separated by commas").action(
    async (run, answer, options) => {
      if (options.expired && run !== undefined) program.error("error: give either a run or --expired");
      if (options.expired) exit(await (await import("./resume-expired.ts")).resumeExpired(options, terminal));
      else if (run === undefined) program.error("error: give a run: its id, the beginning of it, or 'last'");
      else exit(await (await import("./resume-command.ts")).resume(run, answer, options, terminal));
    },
  );
}

function createCrewOption(): Option {
  return new Option("--crew <path>", "where the crew's files are now, if they have moved");
}

function readSeq(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Write the number of an event.");
  return Number(text);
}
