/** A crew that an agent put together out of its own crew's agents. */
export interface Composition {
  /** The agent that did. */
  readonly by: string;
  readonly mode: "sequence" | "parallel";
  /** Who does what; the same agent may come again under another name. */
  readonly steps: readonly { readonly step: string; readonly agent: string; readonly task: string }[];
}

/** What those who work at once are called together: nobody's own name. */
export function groupOf({ steps }: Composition): string {
  let name = "all";
  for (let n = 2; steps.some(({ step }) => step === name); n++) name = `all-${n}`;
  return name;
}

/** A crew within another as it begins. */
export interface EnteredCrew {
  readonly crew: string;
  readonly input: string;
  readonly depth: number;
  /** What the crew is, where it is none that was declared. */
  readonly composed?: Composition;
}
