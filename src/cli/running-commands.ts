import type { Command } from "commander";
import { addCommand, collectPair, rootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands that run crews. */
export function addRunningCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutRun = "run a crew on an input, from the arguments or piped in";
  addCommand(program, "run <path> [input...]", aboutRun, 'baton run examples/quiz "Start quiz"')
    .option("--script <file>", "replies from a file, in the place of calling any model")
    .option("--model <names>", "provider/model, several separated by commas, in the place of the crew's own")
    .option(
      "--session <id>",
      "go on with a conversation, or begin it: the agent that has it starts, knowing what was said",
    )
    .option("--var <name=value>", "fills {{name}} in the agents' prompts; repeatable", collectPair, {})
    .option("--verbose", "say on standard error which way the run takes")
    .option("--events", "print every event as a line of JSON")
    .option("--json", "print the result as JSON")
    .option("--yes", "start the MCP servers that the crew names without asking, and say which")
    .option("--no-journal", "keep nothing: the run cannot be looked at, resumed or recovered afterwards")
    .addOption(rootOption())
    .action(async (path, input, options) => exit(await (await import("./run.ts")).run(path, input, options, terminal)));

  const aboutTest = "play scenarios offline, and compare what happens with what they expect";
  addCommand(program, "test [paths...]", aboutTest, "baton test examples --filter quiz")
    .option("--record <run>", "write a scenario that plays a recorded run again")
    .option("--out <file>", "where that is written")
    .addOption(rootOption())
    .option("--filter <text>", "only scenarios whose name or file contains this")
    .option("--json", "the outcome as JSON")
    .action(async (paths, options) => {
      if (options.record !== undefined)
        exit(await (await import("./record.ts")).record(options.record, options, terminal));
      else if (paths.length === 0) program.error("error: which scenarios? Give files or folders, or --record <run>");
      else exit(await (await import("./test.ts")).test(paths, options, terminal));
    });
}
