import type { Attachment } from "./attachment.ts";
import type { ToolFacts } from "./messages.ts";

/** What a run is started with. Together with the crew, it is all that another process needs to continue the run. */
export interface RunStart {
  readonly crew: string;
  readonly input: string;
  /** What came with the input. Agents see it as references behind the input. */
  readonly attachments?: readonly Attachment[];
  /** The fingerprint of the crew's definition. The store has a copy of that definition. */
  readonly fingerprint?: string;
  /** Where the crew was loaded from. */
  readonly source?: string;
  /** The tools that agents may use besides those of the crew's files, as `--allow` names them. */
  readonly allow?: string;
  /** For whom the run was started, as the caller names them. */
  readonly user?: string;
  /** Who started the run, such as the name of a token. */
  readonly by?: string;
  /** The values of `{{name}}` in the agents' prompts. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The models of agents, if they differ from those in the crew. */
  readonly models?: Readonly<Record<string, readonly string[]>>;
  /** How the models were given. A resumed or forked run uses the same options. */
  readonly modelOptions?: ModelOptions;
  /** What the run depends on in its tools, by name, or `<crew>/<name>` in a sub-crew. */
  readonly tools?: Readonly<Record<string, ToolFacts>>;
  /** The event of another run after which this fork begins. */
  readonly forkedFrom?: { readonly runId: string; readonly seq: number };
  /** Whether a server started the run, so that any server may continue it. */
  readonly isServed?: true;
  /** What was said before, if the caller keeps the thread itself. */
  readonly history?: readonly Said[];
  /** The conversation that the run continues. */
  readonly session?: ConversationStart;
  /** The span of the run as W3C Trace Context, if the run was traced. */
  readonly traceparent?: string;
  /** Results of earlier runs by their first agent, if the crew leaves open which agent begins. */
  readonly began?: readonly PastEntry[];
  /** Statistics of handoff targets, if the crew uses them. */
  readonly learned?: readonly LearnedTargets[];
}

/** The models that replace the crew's own, as `--script` and `--model` name them. */
export interface ModelOptions {
  /** The file with the replies. */
  readonly script?: string;
  /** Names as `provider/model`, separated by commas. */
  readonly model?: string;
  /** The script was given in code. It is not stored, so whoever continues the run gives it again. */
  readonly isScriptInCode?: true;
}

/** A message of a conversation, by an agent or by somebody who speaks to the crew. */
export interface Said {
  readonly agent?: string;
  readonly text: string;
}

/** What a run of a conversation begins with, so that it can be replayed without the runs before it. */
export interface ConversationStart {
  readonly id: string;
  /** The number of this run in the conversation, from 1. */
  readonly n: number;
  /** The run before it. */
  readonly previous?: string;
  /** The agent that has the conversation and therefore begins, and how it was reached; absent if the entry point begins. */
  readonly holder?: { readonly agent: string; readonly standing: "line" | "passed" };
  /** The agent that had the conversation but is no longer in the crew, so the entry point begins. */
  readonly gone?: string;
  /** The messages so far, oldest first. */
  readonly said: readonly Said[];
  /** What the messages refer to. */
  readonly attachments?: readonly Attachment[];
  /** How many messages after the first are left out, because the conversation is too long. */
  readonly trimmed?: number;
}

/** How many of a crew's runs began with an agent, and how many of them went well. */
export interface PastRuns {
  readonly runs: number;
  readonly successes: number;
}

/** The figures of an agent as a run records them at its beginning. */
export interface PastEntry extends PastRuns {
  /** The crew's place in the run, if it is not the run's own crew. */
  readonly crew?: string;
  readonly agent: string;
}

/** The targets that an agent may hand off to, with their statistics, best first. */
export interface LearnedTargets {
  /** The crew's place in the run, if it is not the run's own crew. */
  readonly crew?: string;
  readonly from: string;
  readonly targets: readonly LearnedTarget[];
}

/** A target of handoffs, with its statistics as a run records them at its beginning. */
export interface LearnedTarget {
  readonly to: string;
  /** The probability of a success, and the bounds that contain it nine times in ten. */
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  readonly successes: number;
  readonly failures: number;
}

/** What a run of a known crew is started with. */
export type Start = Omit<RunStart, "crew">;
