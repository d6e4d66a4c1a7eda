import type { Store } from "../journal/store.ts";
import { parseModels } from "../prepare/prepare-models.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { type ApprovalOptions, createApproval } from "./approve-servers.ts";
import { openPipe } from "./open-pipe.ts";
import { findRoot, openStore } from "./open-store.ts";
import { chooseModelSource, explain, type ModelOptions } from "./run-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface McpOptions extends ModelOptions, ApprovalOptions {
  readonly dev?: boolean;
  readonly allowApprovals?: boolean;
  readonly wait: number;
  readonly maxRuns: number;
  readonly grace: number;
  readonly root?: string;
}

/** `baton mcp`: serves crews as tools to the program that started it, until that closes the pipe or ends the process. */
export async function mcp(paths: readonly string[], options: McpOptions, terminal: Terminal): Promise<number> {
  const { workingDirectory, variables, note } = terminal;
  const named = paths.length === 0 ? ["."] : paths;
  let store: Store | undefined;
  const { input, output, release } = openPipe(terminal);
  const ending = waitForSignal();
  try {
    if (options.model !== undefined) parseModels(options.model);
    const { startStdio } = await import("../server/mcp/serve-stdio.ts");
    store = await openStore(options.root ?? findRoot(named[0] ?? ".", terminal), terminal);
    const serving = await startStdio({
      paths: named,
      crews: {
        workingDirectory,
        root: options.root,
        setup: { models: chooseModelSource(options, terminal), ...createApproval(options, terminal) },
      },
      store,
      maxRuns: options.maxRuns,
      waitMs: options.wait,
      allowsApprovals: options.allowApprovals === true,
      isDev: options.dev === true,
      ...{ variables, input, output, note },
    });
    const { names } = serving;
    note(
      `baton mcp: ${names.length === 0 ? "no crews" : names.join(", ")}${options.dev ? ", and tools for writing crews" : ""}`,
    );
    if (process.stdin.isTTY) note("this speaks to programs; in a terminal, use baton run. Ctrl-C ends it");
    await Promise.race([serving.closed, ending]);
    await serving.stop(options.grace);
    return exitCodes.completed;
  } catch (error) {
    if (error instanceof BatonError) return explain(error, {}, terminal);
    throw error;
  } finally {
    await store?.close();
    release();
  }
}

/** Waits for a signal that ends the process. A second one ends it at once, and nothing is lost either way. */
function waitForSignal(): Promise<void> {
  return new Promise((done) => {
    let isEnding = false;
    const onSignal = () => {
      if (isEnding) process.exit(exitCodes.completed);
      isEnding = true;
      done();
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, onSignal);
  });
}
