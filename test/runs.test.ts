import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addRunCommands } from "../src/cli/run-commands.ts";
import { type RunsOptions, runs } from "../src/cli/runs.ts";
import { show } from "../src/cli/show.ts";
import type { BatonEvent } from "../src/events.ts";
import type { Store } from "../src/run/store.ts";
import { eventsOf } from "./events-of.ts";
import { keepRuns, printed } from "./kept-runs.ts";

const ended = await eventsOf("views/everything");
const [startedAt = 0, hour] = [ended[0]?.ts, 3_600_000];
const store = await keepRuns({
  run_00000000aaaaaaaaaaaa: after(-400 * 24 * hour, ended),
  run_00000001aaaaaaaaaaaa: after(-24 * hour, await eventsOf("external/stays-paused")),
  run_00000002aaaaaaaaaaaa: after(0, await eventsOf("output/error-of-a-failed-run")),
  run_00000003aaaaaaaaaaaa: after(hour, ended.slice(0, 14)),
});
const now = startedAt + 2 * hour;

function after(ms: number, events: readonly BatonEvent[]): BatonEvent[] {
  return events.map((event) => ({ ...event, ts: event.ts + ms }));
}

async function listed(options: RunsOptions, columns?: number, from: Pick<Store, "list"> = store) {
  return printed((terminal) => runs(options, terminal, from, now), columns);
}

describe("baton runs", () => {
  it("lists runs, the newest first", async () => {
    expect(`\n${(await listed({}, 80)).output}`).toBe(`
run           crew  status           started     time  events  input
run_00000003  desk  ■ broken off    01:00:00     4.8s      14  The printer is d…
run_00000002  pair  ✗ failed        00:00:00     0.0s      12  Hello
run_00000001  pair  ‖ paused      2025-12-31  26h 00m       9  Hello
run_00000000  desk  ✓ completed   2024-11-27    12.5s      45  The printer is d…
`);
  });

  it("leaves out what there is no room for, and cuts nothing in a pipe", async () => {
    expect((await listed({}, 44)).output.split("\n")[1]).toBe("run_00000003  desk  ■ broken off     4.8s");
    expect((await listed({})).output).toContain("run_00000003aaaaaaaaaaaa  desk");
    expect((await listed({})).output).toContain("The printer is dead and its bill is unpaid");
  });

  it("gives those that are asked for, as JSON too", async () => {
    expect(JSON.parse((await listed({ status: "paused", json: true })).output)).toEqual({
      runs: await store.list({ status: "paused" }),
    });
    expect((await listed({ crew: "pair", limit: 1 })).output.trim().split("\n")).toHaveLength(2);
    expect(await listed({ crew: "nobody" })).toMatchObject({ output: "", notes: "there are no such runs\n" });
  });
});

describe("a run is found", () => {
  const found = async (name: string, from: Pick<Store, "list" | "read"> = store) => {
    const { output, notes, exitCode } = await printed((terminal) => show(name, {}, terminal, from, now));
    return exitCode === 0 ? /run_\w+/.exec(output)?.[0] : notes.trim();
  };

  it.each([
    ["by its id", "run_00000002aaaaaaaaaaaa", "run_00000002aaaaaaaaaaaa"],
    ["by the beginning of it", "run_00000001", "run_00000001aaaaaaaaaaaa"],
    ["without what all ids begin with", "00000001", "run_00000001aaaaaaaaaaaa"],
    ["as the last", "last", "run_00000003aaaaaaaaaaaa"],
    [
      "not by a slip",
      "run_0000002aaaaaaaaaaaa",
      "error: there is no run 'run_0000002aaaaaaaaaaaa'; did you mean 'run_00000002aaaaaaaaaaaa'?",
    ],
  ])("%s", async (_, name, said) => {
    expect(await found(name)).toBe(said);
  });

  it("not where several are meant, or none; then it is said which there are", async () => {
    const ids = [3, 2, 1, 0].map((digit) => `run_0000000${digit}aaaaaaaaaaaa`).join(", ");
    expect(await found("0000")).toBe(`error: several runs begin with '0000': ${ids}`);
    expect(await found("nothing")).toBe(`error: there is no run 'nothing'; the newest are ${ids}`);
    expect(await found("last", await keepRuns({}))).toBe("error: there are no runs yet; baton run makes one");
  });

  it("not, as JSON", async () => {
    const { output, exitCode } = await printed((terminal) => show("x", { json: true }, terminal, store));
    expect(JSON.parse(output)).toMatchObject({ error: { code: "unknown-run" } });
    expect(exitCode).toBe(1);
  });
});

describe("the commands", () => {
  async function typed(...words: string[]) {
    let closed = 0;
    const opened = { ...store, close: async () => void closed++ };
    const result = await printed(async (terminal) => {
      let exitCode = -1;
      const program = new Command("baton").exitOverride().configureOutput({ writeErr: terminal.note });
      addRunCommands(
        program,
        terminal,
        (code) => {
          exitCode = code;
        },
        async () => opened,
      );
      for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: terminal.note });
      await program.parseAsync(["node", "baton", ...words]).catch((error: Error) => terminal.note(error.message));
      return exitCode;
    });
    return { ...result, closed };
  }

  it("open the store and close it again", async () => {
    expect(await typed("runs", "--status", "failed")).toMatchObject({ exitCode: 0, closed: 1 });
    expect(await typed("show", "last", "--tree")).toMatchObject({ exitCode: 0, closed: 1 });
    expect(await typed("show", "nosuch")).toMatchObject({ exitCode: 1, closed: 1 });
  });

  it("take one view at a time, a known status and a sensible limit", async () => {
    expect((await typed("show", "last", "--tree", "--cost")).notes).toContain("cannot be used with option '--cost'");
    expect((await typed("runs", "--status", "asleep")).notes).toContain("Allowed choices are running, paused");
    expect((await typed("runs", "--limit", "0")).notes).toContain("Write a whole number above 0");
  });
});
