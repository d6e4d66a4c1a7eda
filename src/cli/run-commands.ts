import { type Command, InvalidArgumentError, Option } from "commander";
import type { Store } from "../run/store.ts";
import type { RunStatus } from "../views/run-result.ts";
import { addCommand } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

type OpenStore = () => Promise<Pick<Store, "read" | "list" | "close">>;

/** Commands that look at runs that are kept. */
export function addRunCommands(
  program: Command,
  terminal: Terminal,
  exit: (code: number) => void,
  openStore: OpenStore,
): void {
  const views = {
    tree: "its parts below one another, each with its time, tokens and cost",
    transcript: "who said what to whom",
    cost: "what it took, by agent and model",
    events: "every event in a line",
  };
  const aboutShow = "show a run by its id, the beginning of it, or 'last'";
  const show = addCommand(program, "show <run>", aboutShow, "baton show last --tree");
  for (const [name, about] of Object.entries(views))
    show.addOption(new Option(`--${name}`, about).conflicts(Object.keys(views).filter((other) => other !== name)));
  show
    .option("--json", "the same as JSON: the run's result, or what the option shows; events in a line each")
    .action(async (run, options) =>
      withStore(async (store) => (await import("./show.ts")).show(run, options, terminal, store)),
    );

  const statuses: RunStatus[] = ["running", "paused", "completed", "failed", "cancelled"];
  addCommand(program, "runs", "list the runs that are kept, the newest first", "baton runs --status paused")
    .addOption(new Option("--status <status>", "only runs that stand so").choices(statuses))
    .option("--crew <name>", "only runs of this crew")
    .option("--limit <number>", "at most so many", readLimit, 20)
    .option("--json", "the list as JSON")
    .action(async (options) => withStore(async (store) => (await import("./runs.ts")).runs(options, terminal, store)));

  async function withStore(act: (store: Awaited<ReturnType<OpenStore>>) => Promise<number>): Promise<void> {
    const store = await openStore();
    try {
      exit(await act(store));
    } finally {
      await store.close();
    }
  }
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError("Write a whole number above 0.");
}
