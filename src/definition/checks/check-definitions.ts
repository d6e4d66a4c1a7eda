import type { SignalDefinition } from "../../signals/signal-definition.ts";
import { isSignalName } from "../../signals/signal-name.ts";
import { type SignalProblem, signalProblems } from "../../signals/signal-problems.ts";
import { findContradictions } from "../../signals/validate-definition.ts";
import type { AgentFile } from "../agent-file.ts";
import { listDestinations, pathOfDestinations } from "../collect-references.ts";
import type { CrewParts } from "../crew-parts.ts";
import { type Path, placeOfValue } from "../locate.ts";

/** The crew's own definitions of signals, and the signals that conditions ask for. */
export function checkDefinitions(parts: CrewParts): void {
  for (const { definition, path } of parts.ownSignals) {
    checkAllowed(definition, path, parts);
    checkTargets(definition, path, parts);
    checkContradictions(definition, path, parts);
  }
  for (const agent of parts.directory.files.values()) checkConditions(agent, parts);
}

function checkAllowed(definition: SignalDefinition, path: Path, { world, crewFile, placeOf }: CrewParts): void {
  for (const [index, agent] of (definition.allowedAgents ?? []).entries()) {
    if (world.agents.has(agent)) continue;
    const place = placeOf([...path, "allowed_agents", index]);
    crewFile.reporter.report("unknown-agent", place, `unknown agent '${agent}'`, { name: agent, among: world.agents });
  }
}

function checkTargets(definition: SignalDefinition, path: Path, { world, crewFile, placeOf }: CrewParts): void {
  const { name, defaultTarget, validTargets } = definition;
  const report = ({ code, message }: SignalProblem, at: Path, target: string) => {
    const near = code === "unknown-target" ? { name: target, among: [...world.agents, ...world.groups] } : undefined;
    crewFile.reporter.report(code, placeOf([...path, ...at]), message, near);
  };
  for (const [index, target] of (validTargets ?? []).entries()) {
    if (!isTargetIn(world, target))
      report(signalProblems.unknownTarget(name, target), ["valid_targets", index], target);
  }
  if (defaultTarget !== undefined && !isTargetIn(world, defaultTarget))
    report(signalProblems.unknownTarget(name, defaultTarget), ["default_target"], defaultTarget);
}

function isTargetIn({ agents, groups }: CrewParts["world"], target = ""): boolean {
  return agents.has(target) || groups.has(target);
}

/** What contradicts itself. Where a binding may still make sense of it, permissive mode only warns. */
function checkContradictions(definition: SignalDefinition, path: Path, { world, crewFile, placeOf }: CrewParts): void {
  const { defaultTarget } = definition;
  for (const { field, problem, idle } of findContradictions(definition)) {
    // An unknown target was reported already.
    if (field === "defaultTarget" && !isTargetIn(world, defaultTarget)) continue;
    if (idle === undefined || world.strict) {
      crewFile.reporter.report(problem.code, placeOf([...path, keys[field]]), problem.message);
      continue;
    }
    const key = keys[idle.field];
    const message = `'${key}' has no effect: ${idle.why}`;
    crewFile.reporter.report("no-effect", placeOf([...path, key]), message, { idle: { key, why: idle.why } });
  }
}

const keys = {
  allowedAgents: "allowed_agents",
  behavior: "behavior",
  defaultTarget: "default_target",
  validTargets: "valid_targets",
} as const;

/** `when: {signal: …}` on a handoff, a destination or a collaboration. */
function checkConditions(agent: AgentFile, { crewFile, world }: CrewParts): void {
  const { handoff, collaborations } = agent.keys;
  const conditions: readonly (readonly [Path, string | undefined])[] = [
    [["handoff"], typeof handoff === "object" ? handoff.when?.signal : undefined],
    ...listDestinations(agent.keys).map(
      (each, index) => [[...pathOfDestinations(agent.keys), index], findSignal(each)] as const,
    ),
    ...collaborations.map((each, index) => [["collaborations", index], findSignal(each)] as const),
  ];
  const names = world.registry.list().map(({ name }) => name);
  for (const [path, signal] of conditions) {
    if (signal === undefined) continue;
    const place = placeOfValue(agent, [...path, "when", "signal"]);
    if (!isSignalName(signal))
      crewFile.reporter.report("bad-signal-format", place, signalProblems.badFormat(signal).message);
    else if (world.strict && !world.registry.has(signal)) {
      const near = { name: signal, among: names };
      crewFile.reporter.report("unregistered-signal", place, signalProblems.notRegistered(signal).message, near);
    }
  }
}

type NeighbourKeys = AgentFile["keys"]["collaborations"][number];

function findSignal(keys: NeighbourKeys): string | undefined {
  return typeof keys === "string" ? undefined : keys.when?.signal;
}
