import type { BindingType } from "../signals/binding-types.ts";
import { choosePriority } from "../signals/signal-definition.ts";
import { chooseBindingType, mayEmit, type SignalWorld, type WrittenBinding } from "../signals/validate-signals.ts";
import type { Binding, BoundMove, Crew, SubCrewCall } from "../vocabulary/crew.ts";
import { inMs, type SettingsKeys } from "./build-settings.ts";
import { bindingShape } from "./crew-shape.ts";
import { buildPauseTimeout } from "./pause-timeout-shape.ts";
import type { ValueOf } from "./shape.ts";

export type BindingKeys = ValueOf<typeof bindingShape>;

/** What bindings are built from; references in them are checked elsewhere. */
export interface BindingSurroundings {
  readonly world: SignalWorld;
  readonly listed: readonly string[];
  readonly settings: SettingsKeys;
}

/** A binding as the signal protocol sees it. An empty target is no target. */
export function writtenBinding(keys: BindingKeys): WrittenBinding {
  return {
    signal: keys.signal ?? "",
    target: keys.target === "" ? undefined : keys.target,
    type: keys.type,
    callsCrew: keys.target_crew !== undefined || keys.target_crews !== undefined,
  };
}

/** The bindings of every agent: those in the file, then the signals whose definition has a default target. */
export function buildBindings(
  given: ReadonlyMap<string, readonly BindingKeys[]>,
  crew: BindingSurroundings,
): Crew["bindings"] {
  const bindings = new Map<string, readonly Binding[]>();
  for (const agent of crew.world.agents) {
    const own = (given.get(agent) ?? []).flatMap((keys) => buildBinding(agent, keys, crew) ?? []);
    const all = [...own, ...defaultBindings(agent, own, crew)];
    if (all.length > 0) bindings.set(agent, all);
  }
  return bindings;
}

function defaultBindings(agent: string, own: readonly Binding[], crew: BindingSurroundings): Binding[] {
  return crew.world.registry.list().flatMap((definition) => {
    const { name: signal, defaultTarget } = definition;
    if (defaultTarget === undefined || defaultTarget === agent || !mayEmit(definition, agent)) return [];
    if (own.some((binding) => binding.signal === signal) || !isTarget(defaultTarget, crew.world)) return [];
    return buildBinding(agent, { ...bindingShape.absent, signal }, crew) ?? [];
  });
}

function buildBinding(agent: string, keys: BindingKeys, crew: BindingSurroundings): Binding | undefined {
  const binding = writtenBinding(keys);
  const definition = crew.world.registry.get(binding.signal);
  const type = chooseBindingType(binding, definition, crew.world.groups);
  const move = buildMove(type, agent, keys, binding.target ?? definition?.defaultTarget, crew);
  if (move === undefined) return undefined;
  const pauses = move.type === "external" && move.pause;
  const priority =
    keys.priority ?? definition?.priority ?? choosePriority(definition?.behavior ?? (pauses ? "pause" : type));
  const description = keys.description ?? definition?.description;
  return { signal: binding.signal, priority, description, move, pauseTimeout: buildPauseTimeout(keys.pause_timeout) };
}

function buildMove(
  type: BindingType,
  agent: string,
  keys: BindingKeys,
  target: string | undefined,
  crew: BindingSurroundings,
): BoundMove | undefined {
  switch (type) {
    case "route":
      return buildRoute(agent, target, crew);
    case "parallel":
      return target === undefined || !crew.world.groups.has(target) ? undefined : { type, group: target };
    case "broadcast":
      return { type, targets: keys.targets ?? (target === undefined ? crew.listed : [target]) };
    case "external":
      return { type, pause: keys.pause };
    case "sub_crew":
      return { type, ...buildCall(agent, keys, crew.settings) };
    case "terminate":
    case "pause":
    case "status":
      return { type };
  }
}

/** Without a target the next of the list; after the last there is nobody, and the run ends. */
function buildRoute(agent: string, target: string | undefined, crew: BindingSurroundings): BoundMove | undefined {
  if (target === undefined) {
    const next = crew.listed[crew.listed.indexOf(agent) + 1];
    return next === undefined ? { type: "terminate" } : { type: "route", target: next };
  }
  return crew.world.agents.has(target) ? { type: "route", target } : undefined;
}

function buildCall(agent: string, keys: BindingKeys, settings: SettingsKeys): SubCrewCall {
  return {
    crews: keys.target_crews ?? (keys.target_crew === undefined ? [] : [keys.target_crew]),
    returnTo: keys.return_to ?? agent,
    inputTemplate: keys.input_template,
    timeoutMs: inMs(keys.timeout_seconds ?? settings.sub_crew_timeout_seconds),
    history: keys.history ?? settings.history ?? "summary",
    onError: listPolicies(keys.on_error),
    maxRetries: keys.max_retries ?? 3,
    fallbackCrew: keys.fallback_crew,
  };
}

type Policy = SubCrewCall["onError"][number];

/** What is done about a failure, in order. After `propagate`, and where nothing else is left, the caller fails. */
function listPolicies(written: BindingKeys["on_error"]): readonly Policy[] {
  const all = listOfPolicies(written);
  const end = all.indexOf("propagate");
  return all.slice(0, end === -1 ? all.length : end).filter((policy): policy is Policy => policy !== "propagate");
}

export function listOfPolicies(written: BindingKeys["on_error"]): readonly (Policy | "propagate")[] {
  return typeof written === "string" ? [written] : written;
}

function isTarget(name: string, world: SignalWorld): boolean {
  return world.agents.has(name) || world.groups.has(name);
}
