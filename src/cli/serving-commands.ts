import { type Command, InvalidArgumentError, Option } from "commander";
import { addCommand, addCrewsCommand, createGraceOption, readDuration, readLimit } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";
import { addWorkerCommands, createLeaseOption } from "./worker-commands.ts";

const scopes = ["run", "read", "answer", "act_as", "admin"];

/** Commands that serve crews to programs. */
export function addServingCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const about = "serve crews over HTTP, with the API that docs/serving.md describes";
  addCrewsCommand(program, "serve [crews...]", about, "baton serve examples/quiz --port 4500")
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .addOption(new Option("--port <number>", "the port; 0 picks one").default(4500).argParser(readPort))
    .option("--tokens <file>", "a file with tokens, read again when it changes")
    .addOption(new Option("--max-runs <number>", "runs at once; more wait").default(50).argParser(readLimit))
    .addOption(
      new Option("--max-body <bytes>", "the largest body of a request").default(1_048_576).argParser(readLimit),
    )
    .option("--origin <url>", "a web page's origin that may use the server; repeatable", collectOrigin)
    .option("--allowed-host <name>", "another name that the server answers to; repeatable", collect)
    .addOption(new Option("--public-url <url>", "how callers reach the server, behind a proxy").argParser(readUrl))
    .option("--trust-proxy", "believe X-Forwarded-Host and -Proto; only where all requests come through your proxy")
    .option("--a2a <crew>", "the crew whose A2A card is that of the server, where it has several")
    .option(
      "--push-allow <host>",
      "a host that A2A push notifications may go to though it is not public; repeatable",
      collect,
    )
    .option("--studio", "also serve the studio at /studio/, for people who log in with their tokens")
    .option("--metrics-public", "show /metrics without a token")
    .option("--no-recover", "leave interrupted runs and expired pauses as they are")
    .option("--watch", "load a crew again when its files change")
    .option("--work", "with a store in PostgreSQL: run what is queued, too, instead of leaving that to baton worker")
    .option("--name <name>", "with --work: what the worker is called (default: host and process)")
    .addOption(createLeaseOption())
    .addOption(new Option("--log <format>", "the format of the log").choices(["text", "json"]).default("text"))
    .addOption(createGraceOption())
    .option("--json", "print the address and the token as the first line of standard output")
    .action(async (paths, options) => exit(await (await import("./serve-command.ts")).serve(paths, options, terminal)));

  addMcpCommand(program, terminal, exit);
  addWorkerCommands(program, terminal, exit);
  addStudioCommand(program, terminal, exit);

  const token = addCommand(program, "token <verb> <name>", "make a token for a server", "baton token new web")
    .option("--scopes <list>", `what it may do: ${scopes.join(", ")}`, readScopes, ["run", "read"])
    .option("--crews <list>", "the crews that it may use; all if left out", readNames)
    .option("--expires <date>", "when it stops being valid, such as 2027-01-31", readDate)
    .option("--json", "print the token and its line as JSON")
    .action(async (_, name, options) =>
      exit(await (await import("./token-command.ts")).createToken(name, options, terminal)),
    );
  token.registeredArguments[0]?.choices(["new"]);
}

function addMcpCommand(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const tools = "serve crews as tools of the Model Context Protocol, on standard input and output";
  addCrewsCommand(program, "mcp [crews...]", tools, "baton mcp examples/quiz")
    .option("--dev", "add tools, pages and a prompt for writing crews")
    .option("--allow-approvals", "let the client approve, and answer gates, quotas and unclear calls")
    .addOption(
      new Option("--wait <duration>", "how long a call waits for its run: 30s, 5m; clients often give up after 60s")
        .default(45_000, "45s")
        .argParser(readDuration),
    )
    .addOption(new Option("--max-runs <number>", "runs at once; more wait").default(10).argParser(readLimit))
    .addOption(
      new Option("--grace <duration>", "how long current turns may take when the client leaves: 500 (ms), 30s")
        .default(1500, "1500")
        .argParser(readDuration),
    )
    .action(async (paths, options) => exit(await (await import("./mcp-command.ts")).mcp(paths, options, terminal)));
}

function addStudioCommand(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const about = "open the studio: a page to build, run and understand crews";
  addCrewsCommand(
    program,
    "studio [crews...]",
    about,
    "baton studio examples/quiz --script examples/quiz/demo.script.yaml",
  )
    .option("--no-open", "print the link instead of opening a browser")
    .option("--write", "let the page change the crews' files at once")
    .addOption(new Option("--port <number>", "the port; another one if it is taken").default(4510).argParser(readPort))
    .option("--json", "print the address and a link as the first line of standard output")
    .action(async (paths, options) =>
      exit(await (await import("./studio-command.ts")).openStudio(paths, options, terminal)),
    );
}

function readPort(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Write a number from 0 to 65535.");
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === "") return text;
  throw new InvalidArgumentError("Write an address such as https://crews.example.com.");
}

function collectOrigin(text: string, known: readonly string[] = []): readonly string[] {
  return [...known, new URL(readUrl(text)).origin];
}

function collect(text: string, known: readonly string[] = []): readonly string[] {
  return [...known, text];
}

function readNames(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim());
}

function readScopes(text: string): readonly string[] {
  const names = readNames(text);
  const unknown = names.find((name) => !scopes.includes(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`There is no scope '${unknown}'; there are ${scopes.join(", ")}.`);
}

function readDate(text: string): string {
  if (!Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError("Write a date such as 2027-01-31.");
}
