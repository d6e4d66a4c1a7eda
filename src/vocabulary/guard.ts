/** What an agent or a crew checks of its input and its output. */
export interface Guards {
  readonly input: readonly Guard[];
  readonly output: readonly Guard[];
  /** Whether text is streamed before the output has passed, so that it may have to be taken back. */
  readonly isEarly: boolean;
}

/** One check, and what follows if it trips. */
export interface Guard {
  /** How events and messages call it. */
  readonly name: string;
  readonly check: GuardCheck;
  /** What follows if it trips; undefined where a function or agent decides. */
  readonly onTrip: GuardAction | undefined;
  /** What the user is told; why it tripped when absent. */
  readonly message: string | undefined;
  /** How often the agent may answer again. */
  readonly maxRetries: number;
  /** Whether it runs before the first model call though it could run beside it. */
  readonly isFirst: boolean;
}

/** What follows when a guard trips. */
export type GuardAction = "block" | "rewrite" | "ask" | "retry";

/** What a guard looks at. */
export type GuardCheck =
  | { readonly type: "max_chars"; readonly limit: number }
  | { readonly type: "matches"; readonly pattern: string }
  | { readonly type: "forbids"; readonly texts: readonly string[] }
  | { readonly type: "json"; readonly schema: unknown }
  | { readonly type: "language"; readonly language: string }
  | { readonly type: "no_secrets" }
  | { readonly type: "grounded" }
  | ModuleCheck
  | { readonly type: "agent"; readonly agent: string };

/** A function that judges. */
export interface ModuleCheck {
  readonly type: "module";
  readonly id: string;
  readonly function: {
    readonly module: { readonly file: string; readonly exportName: string };
    readonly effect: "read";
  };
}

/** What a guard says of a text. */
export type Verdict =
  | { readonly action: "pass" }
  | { readonly action: "block" | "ask" | "retry"; readonly reason: string }
  | { readonly action: "rewrite"; readonly reason: string; readonly text: string };

/** Whether a guard of an agent's input runs beside the first model call: one that only blocks, and takes time to judge. */
export function runsBeside({ check, onTrip, isFirst }: Guard): boolean {
  return onTrip === "block" && !isFirst && (check.type === "module" || check.type === "agent");
}

/** The functions that guard a crew's agents and the crew itself. */
export function listModuleChecks(guards: readonly (Guards | undefined)[]): ModuleCheck[] {
  return guards.flatMap((each) =>
    [...(each?.input ?? []), ...(each?.output ?? [])].flatMap(({ check }) => (check.type === "module" ? check : [])),
  );
}

/** The agents that judge. */
export function listJudges(guards: Guards | undefined): string[] {
  return [...(guards?.input ?? []), ...(guards?.output ?? [])].flatMap(({ check }) =>
    check.type === "agent" ? check.agent : [],
  );
}
