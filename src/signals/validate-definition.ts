import { type SignalDefinition, signalBehaviors } from "./signal-definition.ts";
import { type SignalProblem, signalProblems } from "./signal-problems.ts";

const texts = ["description", "defaultTarget", "example", "deprecated"] as const;
const lists = ["allowedAgents", "validTargets"] as const;

type DefinitionProblem = SignalProblem<"wrong-type" | "bad-target">;

/** Lists what is wrong with a definition, whoever binds the signal. Callers in JavaScript may give anything. */
export function validateDefinition(definition: SignalDefinition): DefinitionProblem[] {
  const malformed = findMalformed(definition);
  return malformed.length > 0 ? malformed : findContradictions(definition).map(({ problem }) => problem);
}

function findMalformed(definition: SignalDefinition): DefinitionProblem[] {
  const { name, behavior, priority } = definition;
  const wrong = (field: string, wanted: string, got: unknown) => signalProblems.malformed(name, field, wanted, got);
  return [
    ...(behavior === undefined || signalBehaviors.includes(behavior)
      ? []
      : [wrong("behavior", `one of ${signalBehaviors.join(", ")}`, behavior)]),
    ...(priority === undefined || Number.isFinite(priority) ? [] : [wrong("priority", "a number", priority)]),
    ...texts.flatMap((field) => {
      const value = definition[field];
      return value === undefined || typeof value === "string" ? [] : [wrong(field, "text", value)];
    }),
    ...lists.flatMap((field) => {
      const value = definition[field];
      const isList = Array.isArray(value) && value.every((each) => typeof each === "string" && each !== "");
      return value === undefined || isList ? [] : [wrong(field, "a list of names", value)];
    }),
  ];
}

/** A part of a definition that the rest of it contradicts. */
export interface Contradiction {
  readonly field: "allowedAgents" | "defaultTarget" | "validTargets";
  readonly problem: DefinitionProblem;
  /** Why the part that contradicts has no effect, if a binding may still make sense of the definition. */
  readonly idle?: { readonly field: "behavior" | "validTargets"; readonly why: string };
}

/** Finds what contradicts itself in a definition whose parts have the right types. */
export function findContradictions(definition: SignalDefinition): Contradiction[] {
  const { name, defaultTarget = "", allowedAgents, validTargets } = definition;
  const isOutside = defaultTarget !== "" && validTargets !== undefined && !validTargets.includes(defaultTarget);
  const hasNone = validTargets?.length === 0;
  const targeted = findMeaninglessTarget(definition);
  return [
    ...(allowedAgents?.length === 0
      ? [{ field: "allowedAgents" as const, problem: signalProblems.noEmitter(name) }]
      : []),
    ...(hasNone ? [{ field: "validTargets" as const, problem: signalProblems.noValidTarget(name) }] : []),
    ...(targeted === undefined ? [] : [targeted]),
    ...(isOutside && !hasNone && targeted === undefined
      ? [{ field: "defaultTarget" as const, problem: signalProblems.invalidTarget(name, defaultTarget, validTargets) }]
      : []),
  ];
}

/** Finds a target of a signal whose behaviour has none. In permissive mode a target overrides the behaviour. */
function findMeaninglessTarget(definition: SignalDefinition): Contradiction | undefined {
  const { name, behavior, defaultTarget, validTargets = [] } = definition;
  if (behavior !== "terminate" && behavior !== "pause" && behavior !== "broadcast") return undefined;
  // An empty target means that there is none.
  if (defaultTarget !== undefined && defaultTarget !== "") {
    const problem = {
      terminate: signalProblems.terminationWithTarget(name, defaultTarget),
      pause: signalProblems.pauseWithTarget(name, defaultTarget),
      broadcast: signalProblems.targetWithoutMeaning(name, behavior),
    }[behavior];
    const why = `signal '${name}' has a default target, so it routes to '${defaultTarget}'`;
    return { field: "defaultTarget", problem, idle: { field: "behavior", why } };
  }
  // A broadcast has targets of another kind: its valid ones are its listeners.
  if (validTargets.length === 0 || behavior === "broadcast") return undefined;
  const why = `signal '${name}' is of type ${behavior}, which has no target unless a binding routes it`;
  const problem = signalProblems.targetWithoutMeaning(name, behavior);
  return { field: "validTargets", problem, idle: { field: "validTargets", why } };
}
