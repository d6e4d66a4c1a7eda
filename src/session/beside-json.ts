/** The signals that an agent may write beside JSON. */
export interface BesideJson {
  readonly signals: readonly string[];
  find(text: string): ReadAround;
}

/** An answer, and what stands before and after it that is not part of it. */
interface ReadAround {
  readonly before: string;
  readonly body: string;
  readonly after: string;
}
