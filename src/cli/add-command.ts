import { statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../vocabulary/duration.ts";

/** What arguments mean, the same in every command. */
const aboutArguments: Readonly<Record<string, string>> = {
  path: "a crew: its folder, its crew.yaml, or the file of a lone agent",
  paths: "scenario files, and folders of them",
  input: "what the crew is asked; without it, what is piped in",
  run: "a stored run: its id, the beginning of it, or 'last'",
  answer: "what the run waits for; without it, the question is shown",
  verdict: "how good the run was",
  words: "why, in words",
  code: "the code of an error, a diagnostic or a failure",
  kind: "crew, agent, scenario or project",
};

/** A command with what it is for and an example, which its help ends with. */
export function addCommand(program: Command, name: string, about: string, example: string): Command {
  const command = program.command(name).description(about).addHelpText("after", `\nExample:\n  ${example}`);
  for (const argument of command.registeredArguments) argument.description = aboutArguments[argument.name()] ?? "";
  return command;
}

/** How a run is made and shown, for every command that makes one. */
export function addRunOptions(command: Command, aboutModels: string): Command {
  return command
    .option("--model <names>", aboutModels)
    .option("--script <file>", "replies from a file, in the place of calling any model")
    .addOption(
      new Option(
        "--grace <duration>",
        "how long the turn under way may take on SIGTERM or SIGHUP before the run is left to another process: 500 (ms), 30s, 5m (default: 10s)",
      ).argParser(readDuration),
    )
    .option("--yes", "start the MCP servers that the crew names without asking, and say which")
    .option("--verbose", "say on standard error which way the run takes")
    .option("--raw", "in a pipe: print control characters as they are, not as \\x1b")
    .addOption(new Option("--events", "print every event as a line of JSON").conflicts(["json", "raw"]))
    .addOption(new Option("--json", "print the result as JSON").conflicts("raw"))
    .addOption(createRootOption());
}

export function createRootOption(): Option {
  return new Option(
    "--root <folder>",
    "the project's folder: no reference may leave it, and its runs are stored in it",
  ).argParser((folder) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    throw new InvalidArgumentError(`There is no folder '${folder}'.`);
  });
}

/** Options of the form name=value, which may be given several times. */
export function collectPair(
  text: string,
  known: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const equals = text.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError("Write name=value.");
  return { ...known, [text.slice(0, equals)]: text.slice(equals + 1) };
}

function readDuration(text: string): number {
  const milliseconds = text === "0" ? 0 : parseDuration(/^\d+$/.test(text) ? Number(text) : text);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError("Write a duration such as 500 (milliseconds), 30s or 5m.");
}

export function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError("Write a whole number above 0.");
}
