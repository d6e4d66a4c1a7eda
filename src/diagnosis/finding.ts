/** The failure modes of multi-agent systems, with the numbers and names of MAST (Cemri et al., 2025). */
export const failureModes = {
  "FM-1.1": "Disobey task specification",
  "FM-1.2": "Disobey role specification",
  "FM-1.3": "Step repetition",
  "FM-1.4": "Loss of conversation history",
  "FM-1.5": "Unaware of termination conditions",
  "FM-2.1": "Conversation reset",
  "FM-2.2": "Fail to ask for clarification",
  "FM-2.3": "Task derailment",
  "FM-2.4": "Information withholding",
  "FM-2.5": "Ignored other agent's input",
  "FM-2.6": "Reasoning-action mismatch",
  "FM-3.1": "Premature termination",
  "FM-3.2": "No or incomplete verification",
  "FM-3.3": "Incorrect verification",
} as const;

/** The number of a failure mode, such as `FM-1.1`. */
export type FailureMode = keyof typeof failureModes;

/** Every code that a diagnosis can give, with its mode. Codes without a mode are failures of the world around the agents. */
export const findingCodes = {
  "disobeyed-format": "FM-1.1",
  "missed-signal": "FM-1.1",
  "out-of-role": "FM-1.2",
  "repeated-step": "FM-1.3",
  "ping-pong": "FM-1.3",
  "lost-context": "FM-1.4",
  "unaware-of-end": "FM-1.5",
  "conversation-reset": "FM-2.1",
  "did-not-ask": "FM-2.2",
  derailed: "FM-2.3",
  "wrong-handoff": "FM-2.3",
  withheld: "FM-2.4",
  "ignored-input": "FM-2.5",
  "said-and-did": "FM-2.6",
  "ended-early": "FM-3.1",
  "not-verified": "FM-3.2",
  "approved-in-spite": "FM-3.3",
  "run-failed": undefined,
  "model-failed": undefined,
  "truncated-answer": undefined,
  "filtered-answer": undefined,
  "empty-answer": undefined,
  "tool-failed": undefined,
  "branch-failed": undefined,
  "not-delivered": undefined,
  "quota-reached": undefined,
  "limit-reached": undefined,
  "timed-out": undefined,
  waiting: undefined,
  interrupted: undefined,
  "burnt-budget": undefined,
} as const satisfies Readonly<Record<string, FailureMode | undefined>>;

/** The code of a finding. */
export type FindingCode = keyof typeof findingCodes;

/** An event that shows the problem, and the words in it that matter. */
export interface Evidence {
  readonly seq: number;
  readonly agent: string;
  readonly text: string;
}

/** A key in an agent's file or in crew.yaml. */
export interface CrewKey {
  /** The names of the sub-crews around it, as events give them. */
  readonly crew?: string;
  readonly agent?: string;
  readonly keys: readonly (string | number)[];
}

/** Something that went wrong in a run, with the events that show it. */
export interface Finding {
  readonly code: FindingCode;
  readonly mode?: { readonly number: FailureMode; readonly name: string };
  /** The effect on the run: `high` decided its end, `medium` cost something, `low` is worth a look. */
  readonly severity: "high" | "medium" | "low";
  /** `certain` if the journal says so, `likely` if it follows from the words of agents. */
  readonly confidence: "certain" | "likely";
  readonly title: string;
  readonly agents: readonly string[];
  /** The first few and the last one; `events` says how many there are. */
  readonly evidence: readonly Evidence[];
  readonly events: number;
  readonly why: string;
  /** The key to change. */
  readonly where: CrewKey;
  readonly advice: string;
}

/** A finding as a detector gives it, with all of its evidence and without its mode, which follows from the code. */
export interface Found extends Omit<Finding, "mode" | "events"> {
  /** The numbers of the events that ended wasted work. */
  readonly wasted?: readonly number[];
}
