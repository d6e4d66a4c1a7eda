import { Command, CommanderError } from "commander";
import { version } from "../vocabulary/version.ts";
import { addDotenvOption } from "./dotenv.ts";
import { addLearningCommands } from "./learning-commands.ts";
import { addLookingCommands } from "./looking-commands.ts";
import { addRunCommands } from "./run-commands.ts";
import { addRunningCommands } from "./running-commands.ts";
import { addServingCommands } from "./serving-commands.ts";
import { addShowingCommands } from "./showing-commands.ts";
import { addStartingCommands } from "./starting-commands.ts";
import { addStoreCommands } from "./store-commands.ts";
import { addStoreOptions, readStoreChoice, type StoreChoice } from "./store-options.ts";
import { exitCodes, openProcessTerminal, type Terminal } from "./terminal.ts";

const afterHelp = `
Exit codes: 0 completed, 1 failed, 2 usage error, 3 invalid crew, 4 paused, 5 limit reached, 130 cancelled,
143 or 129 left to another process on SIGTERM or SIGHUP.

Everywhere: --no-color (or NO_COLOR=1) prints without colours.
'baton help' also lists the pages of the documentation, and 'baton help <page>' shows one.

Example:
  baton init my-crew`;

/** The commands by what they are about, and the names by which each family is found: only the family of the command that is called is set up. */
const families = [
  { names: ["init", "new"], add: addStartingCommands },
  { names: ["run", "test"], add: addRunningCommands },
  { names: ["resume", "cancel", "replay", "fork", "delete", "feedback"], add: addRunCommands },
  { names: ["serve", "token"], add: addServingCommands },
  { names: ["runs", "show", "diagnose"], add: addShowingCommands },
  { names: ["memory", "stats", "suggest"], add: addLearningCommands },
  { names: ["check", "plan", "graph", "signals", "import", "explain", "schema"], add: addLookingCommands },
  { names: ["store"], add: addStoreCommands },
];

/** All families for the help, an alias or a word that is no command, which is compared with every command. */
function chooseFamilies(name: string | undefined) {
  const found = families.filter(({ names }) => name !== undefined && names.includes(name));
  return (found.length === 0 ? families : found).map(({ add }) => add);
}

/** Runs one command and sets the process's exit code. */
export async function main(given: readonly string[]): Promise<void> {
  const argv = takeColours(given);
  let options: Readonly<Record<string, unknown>> = {};
  let store: StoreChoice = {};
  const terminal = openProcessTerminal({
    isRaw: () => options["raw"] === true,
    isQuiet: () => options["quiet"] === true,
    variables: () => store,
  });
  const exitCode = await runCommand(argv, terminal, (command) => {
    options = command.opts();
    store = readStoreChoice(command);
  });
  if (exitCode !== exitCodes.completed) terminal.tellHeldNotes();
  // A tool may have left something open that would keep the process for ever: all is said, so it ends.
  process.stdout.write("", () => process.stderr.write("", () => leave(exitCode)));
}

/** `--no-color` may be anywhere before `--`, and is decided before anything is printed. */
function takeColours(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  const isColourless = (word: string, index: number) => word === "--no-color" && (end === -1 || index < end);
  if (!argv.some(isColourless)) return argv;
  process.env["NO_COLOR"] = "1";
  delete process.env["FORCE_COLOR"];
  return argv.filter((word, index) => !isColourless(word, index));
}

/** What could not be printed is said in the turns of the event loop before that. */
function leave(exitCode: number): void {
  setImmediate(() => process.exit(process.exitCode ?? exitCode));
}

/** Commands are imported when they are called, so that none pays for another's start. */
async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  onCommand: (command: Command) => void,
): Promise<number> {
  let exitCode: number = exitCodes.completed;
  const program = new Command("baton")
    .description("Multi-agent crews in Markdown and YAML, checked like a program.")
    .version(version, "-v, --version")
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError("(--help shows all arguments and options)")
    .configureOutput({ outputError: (message, write) => write(simplifyUsageError(message)) })
    .addHelpText("after", afterHelp)
    .hook("preAction", (_, command) => onCommand(command));
  const exit = (code: number) => {
    exitCode = code;
  };
  for (const add of chooseFamilies(argv[2])) add(program, terminal, exit);
  addStoreOptions(program);
  addDotenvOption(program);
  try {
    await program.parseAsync(argv);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.completed : exitCodes.usage;
    if (!isOfSystem(error)) throw error;
    terminal.note(`error: ${error.message}`);
    return exitCodes.failed;
  }
}

/** Names the argument and its wrong value in the order in which people read them; the parser's own sentences are hard to follow. */
function simplifyUsageError(message: string): string {
  return message
    .replace(/command-argument value '(.*)' is invalid for argument '(.*?)'/, "argument '$2' cannot be '$1'")
    .replace(/option '([^']*)' argument '(.*)' is invalid/, "option '$1' cannot be '$2'");
}

/** Whether the file system or the network refused something, which is not a mistake of ours. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}
