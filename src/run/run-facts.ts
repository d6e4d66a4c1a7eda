/** What the tools and functions of a run are told of it. */
export interface RunFacts {
  /** The name of the run's own crew. */
  readonly crew: string;
  readonly conversation: string | undefined;
  readonly user: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** What the caller gave for tools. It is never stored. */
  readonly context: object;
  /** The idempotency key of a call, by its place. */
  readonly makeKey: (path: string) => string;
}

export const noFacts: RunFacts = {
  crew: "",
  conversation: undefined,
  user: undefined,
  variables: {},
  context: {},
  makeKey: (path) => path,
};
