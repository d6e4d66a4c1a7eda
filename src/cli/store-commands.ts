import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../vocabulary/duration.ts";
import { addCommand, createRootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands about whole stores. */
export function addStoreCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const store = program.command("store").description("copy, check or prune a store of runs");

  const aboutCopy = "copy everything from one store into another, and verify it";
  addCommand(store, "copy <from> <to>", aboutCopy, "baton store copy .baton postgres://baton@db.example/baton")
    .option("--json", "print what was copied as JSON")
    .action(async (from, to, options) =>
      exit(await (await import("./store-copy-command.ts")).copy(from, to, options, terminal)),
    );

  const aboutCheck = "read everything in a store, and verify its checksums";
  addCommand(store, "check <store>", aboutCheck, "baton store check .baton")
    .option("--json", "print what was read as JSON")
    .action(async (name, options) =>
      exit(await (await import("./store-check-command.ts")).check(name, options, terminal)),
    );

  const aboutPrune = "delete runs whose last event is long ago; without --yes, only list them";
  addCommand(store, "prune", aboutPrune, "baton store prune --before 90d --keep-paused --yes")
    .addOption(
      new Option("--before <duration>", "runs whose last event is longer ago than this, such as 90d or 12h")
        .argParser(readAge)
        .makeOptionMandatory(),
    )
    .option("--keep-paused", "keep runs that wait for an answer")
    .option("--yes", "delete them")
    .option("--json", "print the runs as JSON")
    .option("--store <store>", "a folder, or postgres://… (default: $BATON_STORE, or the project's .baton)")
    .option("--schema <name>", "the schema of a store in PostgreSQL (default: baton)")
    .addOption(createRootOption())
    .action(async (options) => exit(await (await import("./store-prune-command.ts")).prune(options, terminal)));
}

function readAge(text: string): number {
  const milliseconds = /[a-z]$/.test(text) ? parseDuration(text) : undefined;
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError("Write a duration with its unit, such as 90d, 12h or 30m.");
}
