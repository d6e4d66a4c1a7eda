import type { ToolFacts } from "./messages.ts";

/** What a run is started with: all that it takes to continue it elsewhere, but for the crew. */
export interface RunStart {
  readonly crew: string;
  readonly input: string;
  /** Of the crew's definition, whose copy is kept in the store. */
  readonly fingerprint?: string;
  /** Where the crew was loaded from. */
  readonly source?: string;
  /** What `{{name}}` stood for in the agents' prompts. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The models of agents, where they are not those that the crew names. */
  readonly models?: Readonly<Record<string, readonly string[]>>;
  /** How the models were given, which is used again when the run is resumed or forked. */
  readonly modelOptions?: ModelOptions;
  /** What the run depends on of its tools, each by its name, or `<crew>/<name>` in a sub-crew. */
  readonly tools?: Readonly<Record<string, ToolFacts>>;
  /** The event of another run from which this one goes its own way. */
  readonly forkedFrom?: { readonly runId: string; readonly seq: number };
  /** The conversation that the run goes on with. */
  readonly session?: ConversationStart;
  /** The span of the run, where it was traced, as W3C's Trace Context writes it. */
  readonly traceparent?: string;
  /** How agents did that began earlier runs, where a crew leaves open who begins. */
  readonly began?: readonly PastEntry[];
  /** What earlier runs showed of whom to hand over to, where the crew wants that used. */
  readonly learned?: readonly LearnedTargets[];
}

/** The models that a run was given in the place of the crew's own, as `--script` and `--model` name them. */
export interface ModelOptions {
  /** The file with the replies. */
  readonly script?: string;
  /** Names as `provider/model`, separated by commas. */
  readonly model?: string;
}

/** Words of a conversation: those of an agent, or of somebody who speaks to the crew. */
export interface Said {
  readonly agent?: string;
  readonly text: string;
}

/** What a run on a conversation begins with, so that it can be gone over again without the runs before it. */
export interface ConversationStart {
  readonly id: string;
  /** Which run of the conversation this is, from 1. */
  readonly n: number;
  /** The run before it. */
  readonly previous?: string;
  /** Who has the conversation, and so begins, and how it came to speak; absent where the entry point begins. */
  readonly holder?: { readonly agent: string; readonly standing: "line" | "passed" };
  /** Who had the conversation and is no longer in the crew; the entry point begins in its place. */
  readonly gone?: string;
  /** What was said before, the oldest first. */
  readonly said: readonly Said[];
  /** How many messages after the first are left out of it, since it grew too long. */
  readonly trimmed?: number;
}

/** How often an agent began a crew's run before, and how often that went well. */
export interface PastRuns {
  readonly runs: number;
  readonly successes: number;
}

/** The same, as a run keeps it from its beginning on. */
export interface PastEntry extends PastRuns {
  /** The crew's place in the run, where it is not the run's own. */
  readonly crew?: string;
  readonly agent: string;
}

/** Whom an agent may hand over to, with how that went before; the most promising first. */
export interface LearnedTargets {
  /** The crew's place in the run, where it is not the run's own. */
  readonly crew?: string;
  readonly from: string;
  readonly targets: readonly LearnedTarget[];
}

export interface LearnedTarget {
  readonly to: string;
  /** How probable a success is, and between which bounds that lies nine times in ten. */
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  readonly successes: number;
  readonly failures: number;
}

/** What a run of a known crew is started with. */
export type Start = Omit<RunStart, "crew">;
