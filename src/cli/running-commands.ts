import { type Command, Option } from "commander";
import {
  addCommand,
  addRunOptions,
  collectPair,
  collectText,
  createRootOption,
  readLimit,
  readPercent,
} from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands that run crews. */
export function addRunningCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  addRun(program, terminal, exit);
  addTest(program, terminal, exit);
}

function addRun(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const example = 'baton run examples/quiz "Start the exam" --script examples/quiz/demo.script.yaml';
  const running = addCommand(program, "run <path> [input...]", "run a crew on an input", example)
    .option("--session, --conversation <id>", "continue the conversation with this id, or begin one with a new id")
    .option("--var <name=value>", "fill {{name}} in the agents' prompts; repeatable", collectPair)
    .option(
      "--file <path>",
      "a file that comes with the input: an image, a PDF, audio or text; repeatable",
      collectText,
    )
    .option("--stub-tools", "let stubs answer for undeclared tools, to try a crew without them")
    .option(
      "--allow <tools>",
      "tools that agents may use besides the crew's: files:./docs,write:./out,shell:git,web:example.org,todo",
    )
    .option("--user <name>", "for whom the run is: tools are told, and agents remember by user")
    .option("--no-journal", "store nothing: the run cannot be shown or resumed afterwards");
  addRunOptions(running, "models to use instead of the crew's: provider/model, separated by commas").action(
    async (path, input, options) => exit(await (await import("./run-command.ts")).run(path, input, options, terminal)),
  );
}

function addTest(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutTest = "play scenarios offline, and report what differs from what they expect";
  const testing = addCommand(program, "test [paths...]", aboutTest, "baton test examples --filter quiz")
    .option("--record <run>", "write a scenario from a stored run")
    .option("--out <file>", "the file that --record writes (default: <run>.scenario.yaml)")
    .option("--filter <words>", "play only scenarios whose name or file has all these words")
    .option("--quiet", "print only the scenarios that fail, and the count")
    .option("--bail", "stop at the first scenario that fails")
    .addOption(new Option("--jobs <n>", "how many scenarios play side by side (default: 8)").argParser(readLimit))
    .option("--coverage", "report what the scenarios show of all that their crews can do")
    .addOption(
      new Option("--min-coverage <percent>", "with --coverage: fail if less of a crew is covered").argParser(
        readPercent,
      ),
    )
    .addOption(
      new Option("--watch", "play again what a changed file touches, until Ctrl-C").conflicts([
        "coverage",
        "minCoverage",
        "suggest",
        "update",
        "json",
        "bail",
      ]),
    )
    .option(
      "--update",
      "write what happened into scenarios that expect nothing; ask before changing what others expect",
    )
    .option(
      "--suggest",
      "with --coverage: write scenarios for what is missing; they pass, and wait for you to fill them in",
    )
    .addOption(
      new Option("--format <format>", "how to print the outcome; with --coverage also lcov and html")
        .choices(["text", "json", "junit", "tap", "github", "lcov", "html"])
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .addOption(createRootOption())
    .action(async (paths, options) => {
      if (options.record !== undefined)
        exit(await (await import("./record-command.ts")).record(options.record, options, terminal));
      else if (paths.length === 0) program.error("error: give scenario files or folders, or --record <run>");
      else if (
        /^(lcov|html)$/.test(options.format) &&
        !options.coverage &&
        !options.suggest &&
        options.minCoverage === undefined
      )
        testing.error(`error: --format ${options.format} shows coverage: add --coverage`);
      else if (options.watch) exit(await (await import("./watch-command.ts")).watchScenarios(paths, options, terminal));
      else exit(await (await import("./test-command.ts")).test(paths, options, terminal));
    });
}
