import { listTerms } from "../classify/list-terms.ts";
import type { StoredMemory } from "../journal/memory-entry.ts";
import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface MemoryOptions {
  readonly scope?: string;
  readonly json?: boolean;
  readonly limit?: number;
  readonly all?: boolean;
}

/** `baton memory`: looks at what agents remember across runs, and makes them forget. */
export async function memory(
  action: string,
  words: readonly string[],
  options: MemoryOptions,
  store: Store,
  terminal: Terminal,
): Promise<number> {
  const text = words.join(" ");
  switch (action) {
    case "list":
      return print(await find(store, options), options, terminal);
    case "search":
      return print(await search(store, text, options), options, terminal);
    case "show":
      return show(await store.memories({ id: needed(text, "the id of an entry") }), options, terminal);
    case "export":
      for (const entry of await find(store, options)) terminal.print(JSON.stringify(withoutIndex(entry)));
      return exitCodes.completed;
    case "forget":
      return forget(store, text, options, terminal);
    default:
      throw new BatonError("bad-options", `'${action}' is not one of list, search, show, forget, export`);
  }
}

function needed(text: string, what: string): string {
  if (text === "") throw new BatonError("bad-options", `give ${what}`);
  return text;
}

function find(store: Store, { scope, limit }: MemoryOptions): Promise<readonly StoredMemory[]> {
  return store.memories({ ...(scope !== undefined && { scope }), ...(limit !== undefined && { limit }) });
}

function search(store: Store, text: string, { scope, limit = 20 }: MemoryOptions): Promise<readonly StoredMemory[]> {
  if (scope === undefined)
    throw new BatonError("bad-options", "give --scope, such as user/ada or crew/desk: memory is searched in one scope");
  return store.recall({ scope, by: { terms: listTerms(needed(text, "words to search for")) }, limit });
}

async function forget(store: Store, id: string, options: MemoryOptions, terminal: Terminal): Promise<number> {
  const { scope, all = false } = options;
  if (id === "" && !(all && scope !== undefined))
    throw new BatonError("bad-options", "give the id of an entry, or --scope and --all for everything in a scope");
  const count = await store.eraseMemories({ ...(id !== "" && { id }), ...(scope !== undefined && { scope }) });
  terminal.print(
    options.json ? JSON.stringify({ forgotten: count }) : `${formatAmount(count, "entry", "entries")} forgotten`,
  );
  return count > 0 ? exitCodes.completed : exitCodes.failed;
}

function show([entry]: readonly StoredMemory[], { json }: MemoryOptions, terminal: Terminal): number {
  if (entry === undefined) throw new BatonError("bad-options", "no entry of memory has this id");
  if (json) terminal.print(JSON.stringify(withoutIndex(entry), undefined, 2));
  else
    for (const [key, value] of Object.entries(withoutIndex(entry)))
      terminal.print(`${key}: ${formatValue(key, value)}`);
  return exitCodes.completed;
}

function formatValue(key: string, value: unknown): string {
  if (typeof value === "number" && (key === "at" || key === "expiresAt")) return new Date(value).toISOString();
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function print(entries: readonly StoredMemory[], { json }: MemoryOptions, terminal: Terminal): number {
  if (json) terminal.print(JSON.stringify(entries.map(withoutIndex), undefined, 2));
  else if (entries.length === 0) terminal.print("nothing is remembered");
  else for (const entry of entries) terminal.print(formatEntry(entry));
  return exitCodes.completed;
}

function formatEntry({ id, scope, text, at, supersededBy }: StoredMemory): string {
  const newer = supersededBy === undefined ? "" : ` (superseded by ${supersededBy})`;
  return `${id}  ${scope}  ${new Date(at).toISOString().slice(0, 10)}  ${text}${newer}`;
}

/** What people read of an entry. */
function withoutIndex({ terms: _, vector: __, ...entry }: StoredMemory): Omit<StoredMemory, "terms" | "vector"> {
  return entry;
}
