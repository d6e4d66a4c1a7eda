import type { Command } from "commander";
import { addCommand, addRunOptions, collectPair, createRootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands that run crews. */
export function addRunningCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutRun = "run a crew on an input";
  const example = 'baton run examples/quiz "Start the exam" --script examples/quiz/demo.script.yaml';
  const running = addCommand(program, "run <path> [input...]", aboutRun, example)
    .option("--session, --conversation <id>", "continue a conversation, or begin a new one, with what was said before")
    .option("--var <name=value>", "fill {{name}} in the agents' prompts; repeatable", collectPair)
    .option("--stub-tools", "let stubs answer for undeclared tools, to try a crew without them")
    .option(
      "--allow <tools>",
      "tools that agents may use besides the crew's: files:./docs,write:./out,shell:git,web:example.org,todo",
    )
    .option("--no-journal", "store nothing: the run cannot be shown or resumed afterwards");
  addRunOptions(running, "models to use instead of the crew's: provider/model, separated by commas").action(
    async (path, input, options) => exit(await (await import("./run-command.ts")).run(path, input, options, terminal)),
  );

  const aboutTest = "play scenarios offline, and report what differs from what they expect";
  addCommand(program, "test [paths...]", aboutTest, "baton test examples --filter quiz")
    .option("--record <run>", "write a scenario from a stored run")
    .option("--out <file>", "the file that --record writes (default: <run>.scenario.yaml)")
    .option("--filter <text>", "play only scenarios whose name or file contains this text")
    .option("--json", "print the outcome as JSON")
    .addOption(createRootOption())
    .action(async (paths, options) => {
      if (options.record !== undefined)
        exit(await (await import("./record-command.ts")).record(options.record, options, terminal));
      else if (paths.length === 0) program.error("error: give scenario files or folders, or --record <run>");
      else exit(await (await import("./test-command.ts")).test(paths, options, terminal));
    });
}
