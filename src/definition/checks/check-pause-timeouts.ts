import { chooseBindingType } from "../../signals/validate-signals.ts";
import { fitsQuestion, type PauseDecision } from "../../vocabulary/pause.ts";
import { writtenBinding } from "../build-bindings.ts";
import type { CrewParts } from "../crew-parts.ts";
import { isGate } from "../gates.ts";
import type { Path } from "../locate.ts";
import { buildPauseTimeout } from "../pause-timeout-shape.ts";

const gate = { what: "a gate waits for approval", options: ["approve", "reject"], instead: "reject, approve or fail" };
const wait = { what: "this pause waits for an answer", options: ["input"], instead: "fail or { input: … }" };

/** A decision must be one that the pause takes: only what waits for approval is approved or rejected. */
export function checkPauseTimeouts(parts: CrewParts): void {
  checkBindings(parts);
  checkBehaviors(parts);
  checkSettings(parts);
}

function checkBindings(parts: CrewParts): void {
  const { crewFile, world } = parts;
  for (const [agent, bindings] of crewFile.keys.routing?.signals ?? []) {
    for (const [index, keys] of bindings.entries()) {
      const timeout = buildPauseTimeout(keys.pause_timeout);
      const binding = writtenBinding(keys);
      const type = chooseBindingType(binding, world.registry.get(binding.signal), world.groups);
      const path = ["routing", "signals", agent, index, "pause_timeout"];
      if (timeout === undefined) continue;
      if (type === "external" && !keys.pause) reportIdle(path, "without 'pause: true'", parts);
      else if (type === "external" || type === "pause") checkFit(timeout.decision, [wait], path, parts);
    }
  }
}

function checkBehaviors(parts: CrewParts): void {
  for (const [agent, keys] of parts.crewFile.keys.routing?.agent_behaviors ?? []) {
    const timeout = buildPauseTimeout(keys.pause_timeout);
    if (timeout === undefined) continue;
    const path = ["routing", "agent_behaviors", agent, "pause_timeout"];
    const pauses = [...(isGate(keys, parts.crewFile) ? [gate] : []), ...(keys.wait_for_signal ? [wait] : [])];
    if (pauses.length === 0) reportIdle(path, "without 'auto_route: false' or 'wait_for_signal: true'", parts);
    else checkFit(timeout.decision, pauses, path, parts);
  }
}

/** Tools may need approval, and sub-crews pause for whatever they want: what they do is known when they are at work. */
function checkSettings(parts: CrewParts): void {
  const { crewFile, directory, world } = parts;
  const { settings, routing, sub_crews: subCrews } = crewFile.keys;
  const timeout = buildPauseTimeout(settings?.pause_timeout);
  if (timeout === undefined || timeout.decision === "fail" || subCrews.size > 0) return;
  const behaviors = [...(routing?.agent_behaviors.values() ?? [])];
  const bindings = [...(routing?.signals.values() ?? [])].flat();
  const pausing = bindings.some((keys) => {
    const binding = writtenBinding(keys);
    const type = chooseBindingType(binding, world.registry.get(binding.signal), world.groups);
    return type === "pause" || (type === "external" && keys.pause);
  });
  const hasTools = [...directory.files.values()].some(({ keys }) => keys.tools.length > 0);
  const canPause =
    typeof timeout.decision === "string"
      ? hasTools || behaviors.some((keys) => isGate(keys, crewFile))
      : pausing || settings?.on_no_signal === "pause" || behaviors.some((keys) => keys.wait_for_signal);
  if (!canPause)
    reportIdle(["settings", "pause_timeout"], "since the crew has no pause that takes its decision", parts);
}

function checkFit(decision: PauseDecision, pauses: readonly (typeof gate)[], path: Path, parts: CrewParts): void {
  const unfit = pauses.find(({ options }) => !fitsQuestion(options, decision));
  if (unfit === undefined) return;
  const name = typeof decision === "string" ? `'${decision}'` : "an input";
  const instead = pauses.length > 1 ? "fail, which fits both of its pauses" : unfit.instead;
  const message = `${name} does not fit: ${unfit.what}; write ${instead}`;
  parts.crewFile.reporter.report("bad-pause-timeout", parts.placeOfKey(path), message);
}

function reportIdle(path: Path, where: string, { crewFile, placeOfKey }: CrewParts): void {
  crewFile.reporter.report("no-effect", placeOfKey(path), `'pause_timeout' has no effect ${where}`);
}
