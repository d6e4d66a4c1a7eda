import type { RunId } from "../vocabulary/ids.ts";

/** A fact that an agent remembered, as it is given to a store. */
export interface MemoryEntry {
  readonly id: string;
  /** Who may recall it, such as `user/ada`. No query finds entries of another scope. */
  readonly scope: string;
  readonly text: string;
  /** The words of the text in the form that is searched, separated by spaces: letters and digits in lower case. */
  readonly terms: string;
  readonly tags: readonly string[];
  /** The run and the place in it, the `path` of its event, that the entry comes from. */
  readonly runId: RunId;
  readonly path: string;
  readonly at: number;
  /** When it ends to be found; undefined if never. */
  readonly expiresAt?: number | undefined;
  /** Ids of older entries of the same scope that are not true any more. */
  readonly supersedes?: readonly string[] | undefined;
  /** What its text means, as a vector of length 1; all vectors of a scope have the same dimensions. */
  readonly vector?: readonly number[] | undefined;
}

/** An entry as it is stored. */
export interface StoredMemory extends MemoryEntry {
  /** The newer entry that says otherwise. A superseded entry is listed and not recalled. */
  readonly supersededBy?: string | undefined;
}

/** How the entry was stored. */
export interface RememberedEntry {
  /** The id of the entry that has the text: of an older one, if the scope has the same text already. */
  readonly id: string;
  readonly isNew: boolean;
  /** How many entries, the oldest of the scope, made room. */
  readonly dropped: number;
}

/** Entries of one scope that are neither expired nor superseded: by words, best first by BM25, or by nearness to a vector. */
export interface RecallQuery {
  readonly scope: string;
  readonly by: { readonly terms: readonly string[] } | { readonly vector: readonly number[] };
  readonly limit: number;
}

/** An entry that was found, and how well it fits: higher is better, comparable within one answer only. */
export interface FoundMemory extends StoredMemory {
  readonly score: number;
}

/** Entries by scope and id; without either, all. */
export interface MemoryQuery {
  readonly scope?: string;
  readonly id?: string;
  readonly limit?: number;
}
