/** What an agent remembers across runs. */
export interface AgentMemory {
  /** Whose memory it is: the run's user's, the crew's, or that of a variable's value. */
  readonly scope: string;
  readonly recall: "auto" | "tool" | "both";
  /** How many entries are recalled. */
  readonly top: number;
  /** The model that turns texts into vectors; undefined where only words are compared. */
  readonly embed: string | undefined;
  readonly maxEntries: number;
  /** How long an entry is found that does not say so itself; undefined for ever. */
  readonly maxAgeMs: number | undefined;
}

/** The scope of what agents remember of a user. */
export function nameUserScope(user: string): string {
  return `user/${user}`;
}
