import { type Command, Option } from "commander";
import type { Store } from "../journal/store.ts";
import type { RunStatus } from "../views/run-result.ts";
import { addCommand, createRootOption, readLimit } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

const views = {
  tree: "its parts below one another, each with its time, tokens and cost",
  transcript: "who said what to whom",
  cost: "what it took, by agent and model",
  events: "every event in a line",
};
const statuses: readonly RunStatus[] = ["running", "paused", "completed", "failed", "cancelled"];

/** Commands that show stored runs. */
export function addShowingCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  addCommand(program, "runs", "list the stored runs, the newest first", "baton runs --status paused")
    .addOption(new Option("--status <status>", "only runs that stand so").choices(statuses))
    .option("--crew <name>", "only runs of this crew")
    .option("--session, --conversation <id>", "only runs of this conversation")
    .option("--limit <number>", "at most so many: 20 where nothing is said, with --jsonl all", readLimit)
    .addOption(new Option("--json", "print the list as JSON").conflicts(["jsonl", "events"]))
    .option("--jsonl", "print a line of JSON for each run")
    .option("--events", "with --jsonl: a line for each event of these runs, those of the oldest first")
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
    .option("--json", "print the same as JSON: the run's result, or what the option shows; events in a line each")
    .addOption(createRootOption())
    .action(async (run, { conversation, ...options }) => {
      if ((run === undefined) === (conversation === undefined))
        program.error("error: give either a run or --conversation <id>");
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
  const about = "find out what went wrong in a run, why, and what to change";
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
