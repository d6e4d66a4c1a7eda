/** A crew that an agent put together out of its own crew's agents. */
export interface Composition {
  /** The agent that did. */
  readonly by: string;
  readonly mode: "sequence" | "parallel";
  /** Who does what; the same agent may come again under another name. */
  readonly steps: readonly { readonly step: string; readonly agent: string; readonly task: string }[];
}

/** A crew within another as it begins. */
export interface EnteredCrew {
  readonly crew: string;
  readonly input: string;
  readonly depth: number;
  /** What the crew is, where it is none that was declared. */
  readonly composed?: Composition;
}
