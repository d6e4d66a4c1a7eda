import { join, resolve } from "node:path";
import type { McpServer } from "../vocabulary/crew.ts";
import type { DiagnosticCode } from "../vocabulary/diagnostic.ts";
import { nearestName } from "../vocabulary/nearest-name.ts";
import type { Reporter } from "./problem-log.ts";
import { findFolderProblem, readText } from "./read-text.ts";
import { createSource, type Place, placeIn, type Source } from "./source.ts";

type Entry = Readonly<Record<string, unknown>>;

const serverKeys = ["type", "command", "args", "env", "cwd", "url", "headers"];

/**
 * The servers of a folder's `.mcp.json`. Other programs read it too: what is in it that is not for us is nobody's mistake, and what is
 * wrong with a server is said where it `isWanted`.
 */
export function readProjectMcp(
  folder: string,
  root: string,
  reporter: Reporter,
  isWanted: (name: string) => boolean,
): [name: string, server: McpServer][] {
  const file = join(folder, ".mcp.json");
  const result = readText(file, root);
  if ("problem" in result) {
    const { code, message } = result.problem;
    if (code !== "not-found") reporter.report(code, { file }, `.mcp.json ${message}`);
    return [];
  }
  const source = createSource(file, result.text);
  return Object.entries(parsed(source, reporter)).flatMap(([name, entry]) => {
    if (isWanted(name) && isEntry(entry)) warnOfSlips(entry, serverKeys, createPlace(source, name), reporter);
    const problem = findProblem(entry, folder, root);
    if (problem === undefined) return [[name, buildServer(entry as Entry, folder)] as [string, McpServer]];
    const [code, message] = problem;
    if (isWanted(name))
      reporter.report(code, createPlace(source, name), `MCP server '${name}' in .mcp.json ${message}`);
    return [];
  });
}

function parsed(source: Source, reporter: Reporter): Entry {
  let whole: unknown;
  try {
    whole = JSON.parse(source.text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    reporter.report("yaml-syntax", placeIn(source), `.mcp.json is not valid JSON: ${why}`);
    return {};
  }
  if (isEntry(whole)) warnOfSlips(whole, ["mcpServers"], placeIn(source, { start: 0, end: 0 }), reporter);
  const servers = isEntry(whole) ? (whole["mcpServers"] ?? {}) : undefined;
  if (isEntry(servers)) return servers;
  reporter.report("wrong-type", placeIn(source), '.mcp.json must have servers by name: { "mcpServers": { … } }');
  return {};
}

/** A key that is nearly one of ours was meant to be it; any other is somebody else's. */
function warnOfSlips(entry: Entry, keys: readonly string[], from: Place, reporter: Reporter): void {
  for (const key of Object.keys(entry)) {
    const meant = keys.includes(key) ? undefined : nearestName(key, keys);
    if (meant === undefined || entry[meant] !== undefined || from.source === undefined) continue;
    const place = createPlace(from.source, key, from.span?.start);
    reporter.report("unknown-key", place, `unknown key '${key}' in .mcp.json`, { name: key, among: keys });
  }
}

/** Why a server cannot be used. */
function findProblem(entry: unknown, start: string, root: string): readonly [DiagnosticCode, string] | undefined {
  if (!isEntry(entry)) return ["wrong-type", "must be an object with 'command' or 'url'"];
  const { command, url, type, cwd, args = [], env = {}, headers = {} } = entry;
  if (command === undefined && url === undefined) return ["missing-field", "needs 'command' or 'url'"];
  const odd = ["command", "url", "type", "cwd"].find((key) => typeof (entry[key] ?? "") !== "string");
  if (odd !== undefined) return ["wrong-type", `must have text under '${odd}'`];
  if (!Array.isArray(args)) return ["wrong-type", "must have a list under 'args'"];
  if (!isEntry(env) || !isEntry(headers)) return ["wrong-type", "must have texts by name under 'env' and 'headers'"];
  const noText = Object.entries({ ...env, ...headers }).find(([, value]) => typeof (value ?? {}) === "object");
  if (noText !== undefined) return ["wrong-type", `must have text under '${noText[0]}'`];
  if (command === undefined && type === "sse")
    return ["wrong-type", "is of type sse, which is not supported: use its address for http, if it has one"];
  const folder = cwd === undefined ? undefined : findFolderProblem(resolve(start, String(cwd)), root);
  return folder && [folder.code, `has ${cwd} under 'cwd', which ${folder.message}`];
}

function buildServer({ command, args, env, cwd, url, headers }: Entry, folder: string): McpServer {
  if (command === undefined) return { type: "http", url: String(url), headers: texts(headers) };
  const start = cwd === undefined ? folder : resolve(folder, String(cwd));
  const given = Array.isArray(args) ? args.map(String) : [];
  return { type: "stdio", command: String(command), args: given, env: texts(env), cwd: start };
}

function texts(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([key, each]) => [key, String(each)]));
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function createPlace(source: Source, key: string, from = 0): Place {
  const start = source.text.indexOf(JSON.stringify(key), from);
  return start === -1 ? placeIn(source) : placeIn(source, { start, end: start + JSON.stringify(key).length });
}
