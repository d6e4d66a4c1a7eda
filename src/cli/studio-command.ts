import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findCrewPaths } from "./find-crew-paths.ts";
import type { ModelOptions } from "./run-command.ts";
import { serveUntilEnd } from "./serve-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

interface StudioCommandOptions extends ModelOptions {
  /** False where the link is only printed. */
  readonly open: boolean;
  readonly port: number;
  readonly write?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly root?: string;
}

/** How long turns under way may take when the studio ends. What has not finished then can be recovered. */
const GRACE_MS = 2000;
const LEASE_MS = 30_000;

/** `baton studio`: serves crews to a page in this machine's browser. */
export async function openStudio(
  paths: readonly string[],
  { open, write, ...options }: StudioCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const [file, ...others] = paths;
  if (file?.endsWith(".html") && others.length === 0) return openExported(file, open, terminal);
  const named = paths.length === 0 ? findCrewPaths(terminal.workingDirectory) : paths;
  const settings = { host: "127.0.0.1", maxRuns: 50, maxBody: 1_048_576, grace: GRACE_MS, lease: LEASE_MS };
  const habits = { recover: false, watch: true };
  const localStudio = { canWrite: write === true };
  return await serveUntilEnd(named, { ...settings, ...habits, ...options, localStudio }, terminal, (server) => {
    const link = server.createStudioLink();
    if (options.json) terminal.print(JSON.stringify({ url: server.url, link }));
    const names = server.crews.list().map(({ name }) => name);
    terminal.note(`the studio shows ${names.join(", ") || "no crew"}; Ctrl+C ends it`);
    if (options.json) return;
    terminal.note(`open it once with this link: ${link}`);
    if (open) openBrowser(link, terminal.note);
  });
}

/** An exported run is a whole page: the browser needs no server to show it. */
function openExported(file: string, open: boolean, { workingDirectory, note }: Terminal): number {
  const path = resolve(workingDirectory, file);
  if (!existsSync(path)) {
    note(`error: ${path} does not exist; baton show last --html > run.html writes such a file`);
    return exitCodes.usage;
  }
  note(`the run in ${path} is read-only`);
  if (open) openBrowser(pathToFileURL(path).href, note);
  return exitCodes.completed;
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the person's browser. Where there is none, the note says so, and the address has been printed. */
function openBrowser(url: string, note: (message: string) => void): void {
  const [command, ...given] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...given, url], { stdio: "ignore", detached: true });
  child.once("error", () => note("no browser was found: open the link yourself"));
  child.unref();
}
