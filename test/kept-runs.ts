import type { Terminal } from "../src/cli/terminal.ts";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import type { Store } from "../src/journal/store.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";

/** A store with runs in it, by id, which nobody is at work on. */
export async function keepRuns(runs: Readonly<Record<string, readonly BatonEvent[]>>): Promise<Store> {
  const store = openMemoryStore();
  for (const [id, events] of Object.entries(runs)) {
    const runId = toRunId(id);
    const lease = await store.take(runId, "test", 60_000);
    await store.append(
      lease,
      events.map((event) => ({ ...event, runId })),
    );
    await store.release(lease);
  }
  return store;
}

/** What a command prints at a terminal of so many columns, or into a pipe, and what it says besides. */
export async function printed(command: (terminal: Terminal) => Promise<number>, columns?: number) {
  let [output, notes] = ["", ""];
  const exitCode = await command({
    workingDirectory: "/",
    variables: {},
    isInteractive: false,
    // Of a screen the commands that print look at nothing but its width.
    screen: columns === undefined ? undefined : ({ columns } as NodeJS.WriteStream),
    readInput: async () => "",
    print: (text) => {
      output += `${text}\n`;
    },
    note: (text) => {
      notes += `${text}\n`;
    },
    divertTools: () => () => {},
    style: (_, text) => text,
  });
  return { exitCode, output, notes };
}
