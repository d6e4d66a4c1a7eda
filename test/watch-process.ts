/**
 * Preloaded into a `baton` process to see what it does: every module it loads, every process it starts and every
 * connection it opens is printed to stderr as a line of JSON when it ends.
 */
import { ChildProcess } from "node:child_process";
import { registerHooks } from "node:module";
import { Socket } from "node:net";

const seen: { modules: string[]; spawned: string[]; connected: string[] } = { modules: [], spawned: [], connected: [] };

registerHooks({
  load(url, context, nextLoad) {
    seen.modules.push(url);
    return nextLoad(url, context);
  },
});

const { connect } = Socket.prototype;
Object.assign(Socket.prototype, {
  connect(this: Socket, ...args: Parameters<typeof connect>) {
    seen.connected.push(JSON.stringify(args[0]));
    return connect.apply(this, args);
  },
});

// The types do not know this method, which every way of starting a process ends in.
const processes = ChildProcess.prototype as unknown as { spawn(options: { file: string }): unknown };
const { spawn } = processes;
Object.assign(processes, {
  spawn(this: unknown, options: { file: string }) {
    seen.spawned.push(options.file);
    return spawn.call(this, options);
  },
});

process.on("exit", () => process.stderr.write(`${JSON.stringify(seen)}\n`));
