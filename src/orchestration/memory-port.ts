/** What agents remember across runs, as a run sees it. */
export interface MemoryPort {
  /** Stores a text, or refreshes the entry that has it. */
  remember(memory: NewMemory): Promise<{ readonly id: string; readonly isNew: boolean; readonly dropped: number }>;
  /** The entries of the scope that fit best, by words and vectors together. */
  recall(query: MemorySearch): Promise<readonly RecalledMemory[]>;
  forget(scope: string, id: string): Promise<boolean>;
}

interface NewMemory {
  readonly id: string;
  readonly scope: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly runId: string;
  readonly path: string;
  readonly expiresAt: number | undefined;
  readonly supersedes: readonly string[];
  readonly embed: string | undefined;
  readonly maxEntries: number;
}

interface MemorySearch {
  readonly scope: string;
  readonly text: string;
  readonly embed: string | undefined;
  readonly limit: number;
}

export interface RecalledMemory {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** When it was remembered, in milliseconds. */
  readonly at: number;
}
