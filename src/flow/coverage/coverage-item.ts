import type { GuardAction } from "../../vocabulary/guard.ts";

/** What coverage counts. */
export type CoverageKind =
  | "binding"
  | "external"
  | "fallback"
  | "function"
  | "compose"
  | "group"
  | "sub-crew"
  | "policy"
  | "handoff"
  | "condition"
  | "router"
  | "transfer"
  | "advisor"
  | "sub-agent"
  | "delegate"
  | "team"
  | "gate"
  | "guard"
  | "pause"
  | "deadline"
  | "limit";

/** Something that a crew can do, and that a scenario can show. */
export type Ability =
  | { readonly kind: "binding" | "external"; readonly agent: string; readonly signal: string }
  | { readonly kind: "fallback" | "function" | "compose"; readonly agent: string }
  | { readonly kind: "group"; readonly group: string; readonly outcome: GroupOutcome }
  | { readonly kind: "sub-crew"; readonly crew: string }
  | { readonly kind: "policy"; readonly agent: string; readonly signal: string; readonly policy: ErrorPolicy }
  | {
      readonly kind: "handoff" | "condition" | "router" | "transfer" | "advisor" | "sub-agent" | "delegate";
      readonly agent: string;
      readonly to: string;
    }
  | { readonly kind: "team"; readonly agent: string; readonly part: "cycle" | "end" }
  | { readonly kind: "gate"; readonly agent: string; readonly decision: GateDecision }
  | {
      readonly kind: "guard";
      /** Absent where it is the crew's own guard. */
      readonly agent?: string;
      readonly on: "input" | "output";
      readonly guard: string;
      readonly outcome: GuardOutcome;
    }
  | { readonly kind: "pause" | "deadline"; readonly agent: string; readonly reason: string }
  | { readonly kind: "limit"; readonly of?: string; readonly limit: string };

type GroupOutcome = "joined" | "member failed" | "member late" | "empty list";
export type ErrorPolicy = "retry" | "fallback" | "continue" | "propagate";
export type GuardOutcome = "passed" | "tripped" | GuardAction;
export type GateDecision = "approve" | "reject" | "redirect";

/** Where an ability is declared: a key of an agent's file, or of crew.yaml if no agent is named. */
export interface DeclaredAt {
  readonly agent?: string;
  readonly keys: readonly (string | number)[];
}

/** An ability with its place in the crew's files. Names are unique within a crew, and stay while the crew keeps the ability. */
export interface CoverageItem {
  readonly name: string;
  readonly ability: Ability;
  readonly at: DeclaredAt;
}

export function nameAbility(ability: Ability): string {
  switch (ability.kind) {
    case "binding":
    case "external":
      return `${ability.kind} ${ability.agent} ${ability.signal}`;
    case "fallback":
    case "function":
    case "compose":
      return `${ability.kind} ${ability.agent}`;
    case "group":
      return `group ${ability.group}: ${ability.outcome}`;
    case "sub-crew":
      return `sub-crew ${ability.crew}`;
    case "policy":
      return `policy ${ability.agent} ${ability.signal}: ${ability.policy}`;
    case "handoff":
    case "router":
    case "transfer":
    case "sub-agent":
    case "delegate":
      return `${ability.kind} ${ability.agent} -> ${ability.to}`;
    case "condition":
      return `condition ${ability.agent} -> ${ability.to}: not met`;
    case "advisor":
      return `advisor ${ability.agent} <- ${ability.to}: failed`;
    case "team":
      return `team ${ability.agent}: ${ability.part}`;
    case "gate":
      return `gate ${ability.agent}: ${ability.decision}`;
    case "guard":
      return `guard ${ability.agent === undefined ? "" : `${ability.agent} `}${ability.on} ${ability.guard}: ${ability.outcome}`;
    case "pause":
    case "deadline":
      return `${ability.kind} ${ability.agent}: ${ability.reason}`;
    case "limit":
      return ability.of === undefined ? `limit ${ability.limit}` : `limit ${ability.of}: ${ability.limit}`;
  }
}
