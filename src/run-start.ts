import type { PastEntry } from "./classification.ts";
import type { ConversationStart } from "./conversation-start.ts";
import type { LearnedTargets } from "./learned-targets.ts";
import type { ModelOptions } from "./model-options.ts";
import type { ToolFacts } from "./tool-call.ts";

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
