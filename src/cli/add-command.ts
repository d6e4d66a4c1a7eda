import { statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../vocabulary/duration.ts";

/** What arguments mean, the same in every command. */
const aboutArguments: Readonly<Record<string, string>> = {
  path: "a crew: its folder, its crew.yaml, a folder of agent files, or one agent's file",
  paths: "scenario files, and folders of them",
  folder: "the folder to write to; the working folder if left out",
  part: "agent or scenario",
  worker: "the name of a worker, as 'baton workers' lists it",
  shell: "bash, zsh or fish",
  topic: "a command, or a page of the documentation",
  crews: "crews to serve, each a path as in 'baton run'; the working folder's crew if left out",
  input: "the input; read from standard input if it is left out",
  run: "a stored run: its id, the beginning of it, or 'last'",
  answer: "the answer; if it is left out, the question is shown",
  action: "list, search, show, forget or export",
  verb: "new",
  name: "its name",
  what: "run, conversation or user",
  id: "a run's id (or the beginning of it, or 'last'), the conversation's id, or the user's name",
  verdict: "good or bad",
  words: "why, in words",
  terms: "the words to search for, or the id of an entry to show or forget",
  code: "the code of an error, a diagnostic or a failure",
  files: "a file, a folder or a project of another system",
  kind: "crew, agent, scenario or project",
};

/** A command with what it is for and an example, which its help ends with. */
export function addCommand(program: Command, name: string, about: string, example: string): Command {
  const command = program.command(name).description(about).addHelpText("after", `\nExample:\n  ${example}`);
  for (const argument of command.registeredArguments) argument.description = aboutArguments[argument.name()] ?? "";
  return command;
}

/** A command that runs whatever crews it is given: which models they use, and whether their servers start unasked. */
export function addCrewsCommand(program: Command, name: string, about: string, example: string): Command {
  return addCommand(program, name, about, example)
    .option("--model <names>", "models to use instead of the crews': provider/model, separated by commas")
    .option("--script <file>", "use replies from a file instead of calling models")
    .option("--yes", "start the crews' MCP servers without asking, and name them")
    .addOption(createRootOption());
}

/** How long turns may take that are under way when the command is told to end. */
export function createGraceOption(): Option {
  const about = "after SIGTERM or SIGINT, how long current turns may take: 500 (ms), 30s, 5m";
  return new Option("--grace <duration>", about).default(30_000, "30s").argParser(readDuration);
}

/** How a run is made and shown, for every command that makes one. */
export function addRunOptions(command: Command, aboutModels: string): Command {
  return command
    .option("--model <names>", aboutModels)
    .option("--script <file>", "use replies from a file instead of calling models")
    .addOption(
      new Option(
        "--grace <duration>",
        "after SIGTERM or SIGHUP, how long the current turn may take before the run is released: 500 (ms), 30s, 5m (default: 10s)",
      ).argParser(readDuration),
    )
    .option("--yes", "start the crew's MCP servers without asking, and name them")
    .option("--verbose", "print each step of the run on standard error")
    .addOption(
      new Option("--quiet", "print only the answer, and more only if the run does not complete").conflicts("verbose"),
    )
    .option("--raw", "in a pipe: print control characters unchanged instead of as \\x1b")
    .addOption(new Option("--events", "print every event as a line of JSON").conflicts(["json", "raw"]))
    .addOption(new Option("--json", "print the result as JSON").conflicts("raw"))
    .addOption(createRootOption());
}

export function createRootOption(): Option {
  return new Option(
    "--root <folder>",
    "the project's folder: files must be inside it, and runs are stored in it",
  ).argParser((folder) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    throw new InvalidArgumentError(`There is no folder '${folder}'.`);
  });
}

/** An option that takes an amount, which may be a fraction. */
export function createAmountOption(flags: string, about: string): Option {
  return new Option(flags, about).argParser((text) => {
    const amount = Number(text);
    if (text.trim() !== "" && Number.isFinite(amount) && amount >= 0) return amount;
    throw new InvalidArgumentError("Write a number that is not negative.");
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

/** Options that may be given several times. */
export function collectText(text: string, known: readonly string[] = []): readonly string[] {
  return [...known, text];
}

export function readDuration(text: string): number {
  const milliseconds = text === "0" ? 0 : parseDuration(/^\d+$/.test(text) ? Number(text) : text);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError("Write a duration such as 500 (milliseconds), 30s or 5m.");
}

export function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError("Write a whole number above 0.");
}

export function readPercent(text: string): number {
  const percent = Number(text.replace(/%$/, ""));
  if (text.trim() !== "" && percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError("Write a percentage from 0 to 100.");
}
