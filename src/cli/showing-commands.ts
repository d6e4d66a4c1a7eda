import { type Command, Option } from "commander";
import type { Store } from "../journal/store.ts";
import type { RunStatus } from "../views/run-result.ts";
import { addCommand, createRootOption, readLimit } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

const views = {
  tree: "the run as a tree, with time, tokens and cost of each part",
  transcript: "who said what to whom",
  cost: "tokens, time and cost by agent and model",
  events: "one line for each event",
};
const statuses: readonly RunStatus[] = ["queued", "running", "paused", "completed", "failed", "cancelled"];

/** Commands that show stored runs. */
export function addShowingCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  addCommand(program, "runs", "list the stored runs, the newest first", "baton runs --status paused")
    .addOption(new Option("--status <status>", "only runs with this status").choices(statuses))
    .option("--crew <name>", "only runs of this crew")
    .option("--session, --conversation <id>", "only runs of this conversation")
    .option("--user <name>", "only runs that were started for this user")
    .option("--limit <number>", "the most runs to list (default: 20; with --jsonl: all)", readLimit)
    .addOption(new Option("--json", "print the list as JSON").conflicts(["jsonl", "events"]))
    .option("--jsonl", "print one line of JSON for each run")
    .option("--events", "with --jsonl: one line for each event of these runs, the oldest first")
    .addOption(createRootOption())
    .action(async ({ root, ...options }) => {
      if (options.events && !options.jsonl) program.error("error: --events goes with --jsonl");
      const [{ withStore }, { runs }] = await Promise.all([import("./with-run.ts"), import("./runs-command.ts")]);
      exit(await withStore({ root, json: options.json }, terminal, (store) => runs(options, terminal, store)));
    });

  const aboutShow = "show a run, or a conversation";
  const show = addCommand(program, "show [run]", aboutShow, "baton show last --tree");
  for (const [name, about] of Object.entries(views))
    show.addOption(new Option(`--${name}`, about).conflicts(Object.keys(views).filter((other) => other !== name)));
  show
    .addOption(
      new Option("--session, --conversation <id>", "a conversation instead of a run").conflicts(Object.keys(views)),
    )
    .addOption(
      new Option("--save <folder>", "write the run's files into a folder").conflicts([
        ...Object.keys(views),
        "conversation",
      ]),
    )
    .option("--user <name>", "with --conversation: the user whose conversation it is")
    .option("--crew <name>", "with --user: the crew that the conversation is with")
    .option("--json", "print the result, or what the option shows, as JSON; one line for each event")
    .addOption(
      new Option(
        "--html",
        "print one redacted HTML file, which opens from disk: baton show last --html > run.html",
      ).conflicts([...["json", "conversation"], ...Object.keys(views)]),
    )
    .addOption(createRootOption())
    .action(async (run, { conversation, ...options }) => {
      if ((run === undefined) === (conversation === undefined))
        program.error("error: give either a run or --conversation <id>");
      if (conversation === undefined && (options.user ?? options.crew) !== undefined)
        program.error("error: --user and --crew go with --conversation <id>");
      const { withStore } = await import("./with-run.ts");
      const [{ show }, { showConversation }] = await Promise.all([
        import("./show-command.ts"),
        import("./show-conversation.ts"),
      ]);
      const go = (store: Store) =>
        conversation === undefined
          ? show(run, options, terminal, store)
          : showConversation(conversation, options, terminal, store);
      exit(await withStore(options, terminal, go));
    });
  addDiagnose(program, terminal, exit);
}

function addDiagnose(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const about = "explain what went wrong in a run, why, and what to change";
  addCommand(program, "diagnose <run>", about, "baton diagnose last")
    .option("--json", "print the diagnosis as JSON")
    .addOption(createRootOption())
    .action(async (run, options) => {
      const [{ withStore }, { diagnose }] = await Promise.all([
        import("./with-run.ts"),
        import("./diagnose-command.ts"),
      ]);
      exit(await withStore(options, terminal, (store) => diagnose(run, options, terminal, store)));
    });
}
