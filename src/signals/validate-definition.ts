import { type SignalDefinition, signalBehaviors } from "./signal-definition.ts";
import { type SignalProblem, signalProblems } from "./signal-problems.ts";

const texts = ["description", "defaultTarget", "example", "deprecated"] as const;
const lists = ["allowedAgents", "validTargets"] as const;

type DefinitionProblem = SignalProblem<"wrong-type" | "bad-target">;

/** Lists what is wrong with a definition, whoever binds the signal. Callers in JavaScript may give anything. */
export function validateDefinition(definition: SignalDefinition): DefinitionProblem[] {
  return [...findMalformed(definition), ...findContradictions(definition)];
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

/** Problems that no binding could fix. */
function findContradictions({ name, behavior, defaultTarget, validTargets }: SignalDefinition): DefinitionProblem[] {
  const hasNone = Array.isArray(validTargets) && validTargets.length === 0;
  const none = hasNone ? [signalProblems.noValidTarget(name)] : [];
  // An empty target means that there is none.
  if (typeof defaultTarget !== "string" || defaultTarget === "") return none;
  if (behavior === "terminate") return [...none, signalProblems.terminationWithTarget(name, defaultTarget)];
  if (behavior === "pause") return [...none, signalProblems.pauseWithTarget(name, defaultTarget)];
  if (behavior === "broadcast") return [...none, signalProblems.targetWithoutMeaning(name, behavior)];
  const isOutside = Array.isArray(validTargets) && !hasNone && !validTargets.includes(defaultTarget);
  return isOutside ? [...none, signalProblems.invalidTarget(name, defaultTarget, validTargets)] : none;
}
