import { type Command, InvalidArgumentError, Option } from "commander";
import { addCommand, createRootOption, readLimit } from "./add-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** The commands that learn from earlier runs. */
export function addLearningCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutMemory = "look at what agents remember across runs: list, search, show, forget or export";
  addCommand(program, "memory <action> [terms...]", aboutMemory, "baton memory search coffee --scope user/ada")
    .option("--scope <scope>", "only entries of a scope: user/<name>, crew/<name> or <variable>/<value>")
    .option("--limit <number>", "at most this many entries", readLimit)
    .option("--all", "with forget: everything in the scope")
    .option("--json", "print the entries as JSON")
    .addOption(createRootOption())
    .action(async (action: string, words: readonly string[], { root, ...options }) => {
      const [{ withStore }, { memory }] = await Promise.all([import("./with-run.ts"), import("./memory-command.ts")]);
      const where = { json: options.json, ...(root !== undefined && { root }) };
      exit(await withStore(where, terminal, (store) => memory(action, words, options, store, terminal)));
    });

  const aboutStats = "show success, cost and time of earlier handoffs, by path and agent; loops; unmatched inputs";
  addCommand(program, "stats [path]", aboutStats, "baton stats examples/quiz --format mermaid")
    .alias("patterns")
    .option("--crew <name>", "only this crew and its sub-crews (default with a path: the crew there)")
    .option("--from <agent>", "only handoffs from this agent")
    .option("--to <agent>", "only handoffs to this agent")
    .option("--since <time>", "only handoffs since a date, or since a time ago, as in 12h or 30d", readSince)
    .addOption(
      new Option("--format <format>", "tables, or a drawing: arrow width shows traffic, colour shows success")
        .choices(["table", "dot", "mermaid"])
        .default("table"),
    )
    .option(
      "--limit <number>",
      "show at most this many loops and unmatched inputs (default: 20; with --json: all)",
      readLimit,
    )
    .addOption(new Option("--forget", "drop the statistics of these handoffs; the runs stay").conflicts("recount"))
    .option("--recount", "count the handoffs of all stored runs again")
    .option("--json", "print the statistics as JSON")
    .addOption(createRootOption())
    .action(async (path: string | undefined, { root, ...options }) => {
      if (program.args[0] === "patterns") terminal.note("'baton patterns' is another name of 'baton stats'");
      const [{ withStore }, { stats }] = await Promise.all([import("./with-run.ts"), import("./stats-command.ts")]);
      const crew =
        path === undefined ? undefined : (await import("./load-valid-crew.ts")).loadValidCrew(path, root, terminal);
      if (path !== undefined && crew === undefined) exit(exitCodes.invalid);
      else {
        const query = { ...options, ...(crew !== undefined && { crew: crew.name }) };
        const place = { ...(await chooseRoot(path, root, terminal)), json: options.json };
        exit(await withStore(place, terminal, (store) => stats(query, terminal, store)));
      }
    });

  const aboutSuggest = "rank the targets an agent can hand off to, by how likely each is to succeed";
  const example = 'baton suggest examples/support-desk --agent front-desk --input "my invoice is wrong"';
  addCommand(program, "suggest <path>", aboutSuggest, example)
    .option("--agent <agent>", "the agent that hands off (default: rank the agents a run can begin with)")
    .option("--input <text>", "the input to rank them for")
    .option("--save", "write the order into the agent's file, after asking")
    .option("--json", "print the ranking as JSON")
    .addOption(createRootOption())
    .action(async (path: string, options) => {
      const [{ withStore }, { suggest }] = await Promise.all([import("./with-run.ts"), import("./suggest-command.ts")]);
      const place = { ...(await chooseRoot(path, options.root, terminal)), json: options.json };
      exit(await withStore(place, terminal, (store) => suggest(path, options, terminal, store)));
    });
}

/** The store belongs to the project of the path, so the path decides the root. */
async function chooseRoot(path: string | undefined, root: string | undefined, terminal: Terminal) {
  if (root !== undefined || path === undefined) return root === undefined ? {} : { root };
  return { root: (await import("./open-store.ts")).findRoot(path, terminal) };
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function readSince(text: string): number {
  const [, amount, unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  const since = amount === undefined ? Date.parse(text) : Date.now() - Number(amount) * (unitMs[unit] ?? 0);
  if (Number.isFinite(since)) return since;
  throw new InvalidArgumentError("Write a date, as in 2026-11-01, or how long ago, as in 12h or 30d.");
}
