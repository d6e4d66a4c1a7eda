import type { Command } from "commander";
import { addCommand, addRunOptions, collectPair, createRootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands that run crews. */
export function addRunningCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutRun = "run a crew on an input, from the arguments or piped in";
  const example = 'baton run examples/quiz "Start the exam" --script examples/quiz/demo.script.yaml';
  const running = addCommand(program, "run <path> [input...]", aboutRun, example)
    .option(
      "--session, --conversation <id>",
      "continue a conversation, or begin it: the agent that has it starts, and knows what was said",
    )
    .option("--var <name=value>", "fill {{name}} in the agents' prompts; repeatable", collectPair)
    .option("--no-journal", "keep nothing: the run cannot be looked at, resumed or recovered afterwards");
  addRunOptions(running, "provider/model, several separated by commas, in the place of the crew's own").action(
    async (path, input, options) => exit(await (await import("./run-command.ts")).run(path, input, options, terminal)),
  );

  const aboutTest = "play scenarios offline, and compare what happens with what they expect";
  addCommand(program, "test [paths...]", aboutTest, "baton test examples --filter quiz")
    .option("--record <run>", "write a scenario that plays a recorded run again")
    .option("--out <file>", "where that is written: <run>.scenario.yaml where nothing is said")
    .option("--filter <text>", "only scenarios whose name or file contains this")
    .option("--json", "print the outcome as JSON")
    .addOption(createRootOption())
    .action(async (paths, options) => {
      if (options.record !== undefined)
        exit(await (await import("./record-command.ts")).record(options.record, options, terminal));
      else if (paths.length === 0) program.error("error: give scenario files or folders, or --record <run>");
      else exit(await (await import("./test-command.ts")).test(paths, options, terminal));
    });
}
