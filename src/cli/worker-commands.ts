import { type Command, Option } from "commander";
import { addCommand, addCrewsCommand, createGraceOption, createRootOption, readDuration } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands about the processes that share the runs of a database. */
export function addWorkerCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const about = "run what baton serve has queued in PostgreSQL; start as many as you need, on any machine";
  addCrewsCommand(
    program,
    "worker [crews...]",
    about,
    "baton worker examples/quiz --store postgres://baton@db.example/baton",
  )
    .option("--name <name>", "what the worker is called (default: host and process)")
    .addOption(createLeaseOption())
    .addOption(createGraceOption())
    .option("--json", "print the worker as the first line of standard output")
    .action(async (paths, options) => exit(await (await import("./worker-command.ts")).work(paths, options, terminal)));

  addCommand(
    program,
    "workers",
    "list workers, and what they run",
    "baton workers --store postgres://baton@db.example/baton",
  )
    .option("--json", "print workers and queues as JSON")
    .addOption(createRootOption())
    .action(async (options) => exit(await (await import("./workers-command.ts")).listWorkers(options, terminal)));

  addCommand(
    program,
    "drain <worker>",
    "let a worker finish its runs and end; others take the rest",
    "baton drain blue-7",
  )
    .option("--json", "print the worker as JSON")
    .addOption(createRootOption())
    .action(async (name, options) => exit(await (await import("./workers-command.ts")).drain(name, options, terminal)));
}

/** How soon other workers take the runs of one that died. */
export function createLeaseOption(): Option {
  return new Option("--lease <duration>", "how soon others take the runs of a worker that died: 3s, 10s")
    .default(3000, "3s")
    .argParser(readDuration);
}
