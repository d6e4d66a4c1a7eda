import { readMap } from "../definition/agent-file.ts";
import { findEntry } from "../definition/fields.ts";
import { silentReporter } from "../definition/problem-log.ts";
import { createSource, type Source } from "../definition/source.ts";
import type { MapEntry, MapNode } from "../definition/yaml-node.ts";
import { buildResult } from "../views/run-result.ts";
import { isNamed } from "./is-named.ts";
import type { Played } from "./play-scenario.ts";

/** A key of `expect`, and what it should say. Keys of agents stand under `inputs`. */
export interface ExpectationChange {
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** What a scenario may expect of a run, as it happened: for a scenario that expects nothing yet. */
export function describeOutcome({ events, diagnostics }: Played): ExpectationChange[] {
  if (events === undefined) {
    const codes = diagnostics.flatMap(({ severity, code }) => (severity === "error" ? [{ code }] : []));
    return listChanges({ status: "invalid", diagnostics: codes });
  }
  const { status, stopReason, output, finalAgent, path, handoffs, paused, error } = buildResult(events);
  return listChanges({
    status,
    stopReason,
    output,
    finalAgent,
    path,
    handoffs,
    ...(paused !== undefined && { paused: { agent: paused.agent, reason: paused.reason } }),
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
  });
}

function listChanges(values: Readonly<Record<string, unknown>>): ExpectationChange[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [{ keys: [key], value }]));
}

/** The keys of which a judge's problems say that something else happened, with what did; and problems that no key can mend. */
export function findChanges(
  problems: readonly string[],
  { events }: Played,
): { readonly changes: readonly ExpectationChange[]; readonly others: readonly string[] } {
  if (events === undefined) return { changes: [], others: problems };
  const result: Readonly<Record<string, unknown>> = { ...buildResult(events) };
  const changes: ExpectationChange[] = [];
  const others: string[] = [];
  for (const problem of problems) {
    const [where = ""] = problem.split("\n");
    const agent = /^inputs\.(.+?)(?:\[\d+\])?$/.exec(where)?.[1];
    const key = /^(status|stopReason|output|finalAgent|path|handoffs|rounds|usage|cost|paused|error)\b/.exec(
      where,
    )?.[1];
    if (agent !== undefined) {
      const given = events.flatMap((event) =>
        (event.type === "agent.started" || event.type === "agent.told") && isNamed(event, agent)
          ? [event.data.input]
          : [],
      );
      changes.push({ keys: ["inputs", agent], value: given });
    } else if (key !== undefined && result[key] !== undefined) changes.push({ keys: [key], value: result[key] });
    else others.push(problem);
  }
  return { changes, others };
}

/** A scenario's text with other expectations. Everything else stays as it is written, to the character. */
export function updateExpectation(text: string, changes: readonly ExpectationChange[]): string {
  return changes.reduce(applyChange, text);
}

function applyChange(text: string, { keys, value }: ExpectationChange): string {
  const source = createSource("", text);
  const root = readMap(source, { start: 0, end: text.length }, silentReporter);
  if (root === undefined) return text;
  return put(source, root, ["expect", ...keys], value);
}

/** Replaces the value behind the keys, or adds those that are missing. */
function put(source: Source, map: MapNode, [key = "", ...rest]: readonly string[], value: unknown): string {
  const { text } = source;
  const entry = findEntry(map, snake(key));
  if (entry === undefined) return add(source, map, key, nest(rest, value));
  if (rest.length > 0 && entry.value.kind === "map" && entry.value.entries.length > 0)
    return put(source, entry.value, rest, value);
  const { start, end } = findValue(text, entry);
  const isEmpty = entry.value.kind === "map" || (entry.value.kind === "scalar" && entry.value.value === null);
  if (rest.length > 0 && isEmpty && text.charAt(map.span.start) !== "{") {
    const indent = " ".repeat(entry.keySpan.start - (text.lastIndexOf("\n", entry.keySpan.start - 1) + 1));
    const [first = "", ...others] = rest;
    return `${text.slice(0, start)}\n${indent}  ${first}: ${writeFlow(nest(others, value))}${text.slice(end)}`;
  }
  const old = text.slice(start, end);
  const after = old.endsWith("\n") ? "\n" : "";
  return `${text.slice(0, start)} ${writeFlow(nest(rest, value))}${after}${text.slice(end)}`;
}

/** Adds a key: on a line of its own, or before the brace that ends a map within a line. */
function add({ text }: Source, { span, entries }: MapNode, key: string, value: unknown): string {
  const last = entries.at(-1);
  if (text.charAt(span.start) === "{") {
    const end = text.lastIndexOf("}", span.end - 1);
    const before = text.slice(0, end).trimEnd();
    const comma = before.endsWith("{") ? "" : ",";
    return `${before}${comma} ${JSON.stringify(key)}: ${writeFlow(value)}${text.slice(before.length, end) || " "}${text.slice(end)}`;
  }
  const start = entries[0]?.keySpan.start ?? text.length;
  const indent = start - (text.lastIndexOf("\n", start - 1) + 1);
  const end = last === undefined ? text.length : findLineEnd(text, findValue(text, last).end);
  const before = text.slice(0, end);
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${before}${gap}${writeBlock(key, value, " ".repeat(indent))}${text.slice(end)}`;
}

/** Where a value stands, from behind the colon to its end, without a comment that follows. */
function findValue(text: string, { keySpan, value }: MapEntry): { readonly start: number; readonly end: number } {
  const start = text.indexOf(":", keySpan.end) + 1;
  if (value.kind === "scalar" && value.span.end <= start) return { start, end: start };
  return { start, end: Math.max(start, findContentEnd(text, value.span.start, value.span.end)) };
}

/** The end of a block's text may take in the comments and empty lines that stand before the next key. */
function findContentEnd(text: string, start: number, end: number): number {
  const lines = text.slice(start, end).split("\n");
  while (lines.length > 1 && /^\s*(#.*)?$/.test(lines.at(-1) ?? "")) lines.pop();
  return start + lines.join("\n").length;
}

function findLineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline + 1;
}

function nest(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A new key of a block; the keys of `expect` are on lines of their own. */
function writeBlock(key: string, value: unknown, indent: string): string {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  if (key !== "expect" || !isMap) return `${indent}${key}: ${writeFlow(value)}\n`;
  const inner = Object.entries(value).map(([name, each]) => `${indent}  ${name}: ${writeFlow(each)}\n`);
  return `${indent}${key}:\n${inner.join("")}`;
}

/** A value within a line. Text is quoted unless it can mean nothing else anywhere. */
function writeFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeFlow).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{ ${entries.map(([key, each]) => `${writeFlow(key)}: ${writeFlow(each)}`).join(", ")} }`;
  }
  const isPlain = typeof value === "string" && /^[\p{L}_][\p{L}\p{N}_. -]*(?<![ .])$/u.test(value);
  const isWord = isPlain && !/^(true|false|null|yes|no|on|off|y|n|nan|inf)$/i.test(value);
  return isWord ? value : JSON.stringify(value);
}
