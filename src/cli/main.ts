import { readFileSync, statSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { exitCodes, processTerminal, type Terminal } from "./terminal.ts";

/** Runs one command and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCommand(argv, processTerminal());
}

/** Commands are imported when they are called, so that none pays for another's start. */
async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.completed;
  const program = createProgram((code) => {
    exitCode = code;
  }, terminal);
  try {
    await program.parseAsync(argv);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.completed : exitCodes.usage;
    throw error;
  }
}

function createProgram(exit: (code: number) => void, terminal: Terminal): Command {
  const program = new Command("baton")
    .description("Multi-agent crews in Markdown and YAML, checked like a program.")
    .version(version(), "-v, --version")
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError("(--help says more)");

  command(
    program,
    "check <path>",
    "find out what is wrong with a crew, before anything is spent",
    "baton check examples/quiz --strict",
  )
    .option("--strict", "treat the crew as strict: unknown keys and unregistered signals are errors")
    .addOption(
      new Option("--format <format>", "how to print what was found")
        .choices(["text", "json", "github"])
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .addOption(rootOption())
    .action(async (path, options) => exit((await import("./check.ts")).check(path, options, terminal)));

  command(program, "graph <path>", "draw who can follow whom", "baton graph examples/quiz --format mermaid")
    .addOption(
      new Option("--format <format>", "the kind of drawing").choices(["ascii", "mermaid", "dot"]).default("ascii"),
    )
    .option("--json", "the boxes and arrows as JSON")
    .addOption(rootOption())
    .action(async (path, options) => exit((await import("./graph.ts")).graph(path, options, terminal)));

  command(
    program,
    "signals <path>",
    "report a crew's signals: what they mean, who emits them, where they lead",
    "baton signals examples/quiz",
  )
    .option("--json", "the report as JSON")
    .addOption(rootOption())
    .action(async (path, options) => exit((await import("./signals.ts")).signals(path, options, terminal)));

  command(
    program,
    "schema <kind>",
    "print the JSON Schema of a crew, an agent or a scenario file, for editors",
    "baton schema crew > crew.schema.json",
  )
    .option("--json", "JSON it is in any case")
    .action(async (kind) => exit((await import("./schema.ts")).schema(kind, terminal)));

  return program;
}

function rootOption(): Option {
  return new Option("--root <folder>", "the folder that no reference may leave").argParser((folder) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    throw new InvalidArgumentError(`There is no folder '${folder}'.`);
  });
}

function command(program: Command, name: string, about: string, example: string): Command {
  return program.command(name).description(about).addHelpText("after", `\nExample:\n  ${example}`);
}

function version(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}
