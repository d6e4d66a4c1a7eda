import { type Command, InvalidArgumentError, Option } from "commander";
import { addCommand, createRootOption, readLimit } from "./add-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** Commands about what earlier runs show. */
export function addLearningCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutPatterns = "show what the handoffs of earlier runs came to: paths, agents, loops, gaps";
  addCommand(program, "patterns [path]", aboutPatterns, "baton patterns examples/quiz --format mermaid")
    .option("--crew <name>", "only this crew, and those within it; with a path, that is the crew there")
    .option("--from <agent>", "only what this one handed over")
    .option("--to <agent>", "only what was handed to this one")
    .option("--since <time>", "only since then: a date, or how long ago, as in 12h or 30d", readSince)
    .addOption(
      new Option("--format <format>", "tables, or a drawing: width is traffic, colour success")
        .choices(["table", "dot", "mermaid"])
        .default("table"),
    )
    .option("--limit <number>", "at most so many loops and gaps: 20 where nothing is said, with --json all", readLimit)
    .addOption(new Option("--forget", "drop what is known of these handoffs; the runs stay").conflicts("recount"))
    .option("--recount", "count the handoffs of all runs that are kept anew")
    .option("--json", "print the figures as JSON")
    .addOption(createRootOption())
    .action(async (path: string | undefined, { root, ...options }) => {
      const [{ withStore }, { patterns }] = await Promise.all([
        import("./with-run.ts"),
        import("./patterns-command.ts"),
      ]);
      const crew =
        path === undefined ? undefined : (await import("./load-valid-crew.ts")).loadValidCrew(path, root, terminal);
      if (path !== undefined && crew === undefined) exit(exitCodes.invalid);
      else {
        const query = { ...options, ...(crew !== undefined && { crew: crew.name }) };
        const place = { ...(await chooseRoot(path, root, terminal)), json: options.json };
        exit(await withStore(place, terminal, (store) => patterns(query, terminal, store)));
      }
    });

  const aboutSuggest = "rank whom an agent had best hand its work to, by what earlier runs show";
  const example = 'baton suggest examples/support-desk --agent front-desk --input "my invoice is wrong"';
  addCommand(program, "suggest <path>", aboutSuggest, example)
    .option("--agent <agent>", "the one that hands over; without it, who should begin is ranked")
    .option("--input <text>", "what the run is asked")
    .option("--save", "put the order into the agent's file, after asking")
    .option("--json", "print the ranking as JSON")
    .addOption(createRootOption())
    .action(async (path: string, options) => {
      const [{ withStore }, { suggest }] = await Promise.all([import("./with-run.ts"), import("./suggest-command.ts")]);
      const place = { ...(await chooseRoot(path, options.root, terminal)), json: options.json };
      exit(await withStore(place, terminal, (store) => suggest(path, options, terminal, store)));
    });
}

/** The project that a path belongs to has the store. */
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
