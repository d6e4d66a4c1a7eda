import type { BindingType } from "../../signals/binding-types.ts";
import { chooseBindingType } from "../../signals/validate-signals.ts";
import { type BindingKeys, listOfPolicies, writtenBinding } from "../build-bindings.ts";
import type { CrewParts } from "../crew-parts.ts";
import { findEntry } from "../fields.ts";
import type { Path } from "../locate.ts";
import type { YamlNode } from "../yaml-node.ts";

/** Keys of a binding that only some types have; the others are for all. */
const ownKeys: Readonly<Record<string, readonly BindingType[]>> = {
  targets: ["broadcast"],
  pause: ["external"],
  pause_timeout: ["pause", "external"],
  target_crew: ["sub_crew"],
  target_crews: ["sub_crew"],
  return_to: ["sub_crew"],
  input_template: ["sub_crew"],
  timeout_seconds: ["sub_crew"],
  history: ["sub_crew"],
  on_error: ["sub_crew"],
  max_retries: ["sub_crew"],
  fallback_crew: ["sub_crew"],
  target: ["route", "parallel", "status", "broadcast", "terminate", "pause", "external"],
};

/** Keys that a binding or group has and that do nothing there. */
export function checkBindingKeys(parts: CrewParts): void {
  for (const [agent, bindings] of parts.crewFile.keys.routing?.signals ?? []) {
    for (const [index, keys] of bindings.entries()) checkKeys(keys, ["routing", "signals", agent, index], parts);
  }
  for (const [name, group] of parts.crewFile.keys.routing?.parallel_groups ?? []) {
    if (!group.wait_for_all || group.min_success === undefined) continue;
    const path = ["routing", "parallel_groups", name, "min_success"];
    reportIdle(path, "where 'wait_for_all' waits for all members", parts);
  }
}

function checkKeys(keys: BindingKeys, path: Path, parts: CrewParts): void {
  const { crewFile, world } = parts;
  const binding = writtenBinding(keys);
  const type = chooseBindingType(binding, world.registry.get(binding.signal), world.groups);
  const node = nodeAt(crewFile.root, path);
  for (const [key, types] of Object.entries(ownKeys)) {
    if (isGiven(node, key) && !types.includes(type)) {
      const hint = key === "targets" ? "; write type: broadcast" : "";
      reportIdle([...path, key], `on a signal of type ${type}${hint}`, parts);
    }
  }
  if (type !== "sub_crew") return;
  if (keys.target_crew !== undefined && keys.target_crews !== undefined) {
    const message = "'target_crew' is given as 'target_crews' too; keep one of them";
    crewFile.reporter.report("both-spellings", parts.placeOfKey([...path, "target_crew"]), message);
  }
  const policies = listOfPolicies(keys.on_error);
  if (policies.length === 0) reportIdle([...path, "on_error"], "without a policy: what fails is propagated", parts);
  for (const [index, policy] of policies.entries()) {
    const before = policies.slice(0, index);
    const last = before.find((each) => each === "continue" || each === "propagate");
    if (last !== undefined) reportIdle([...path, "on_error", index], `after '${last}'`, parts, policy);
    else if (before.includes(policy)) reportIdle([...path, "on_error", index], "a second time", parts, policy);
  }
  for (const [key, policy] of [
    ["max_retries", "retry"],
    ["fallback_crew", "fallback"],
  ] as const) {
    if (isGiven(node, key) && !policies.includes(policy))
      reportIdle([...path, key], `without 'on_error: ${policy}'`, parts);
  }
}

function reportIdle(path: Path, where: string, { crewFile, placeOfKey }: CrewParts, name = path.at(-1)): void {
  crewFile.reporter.report("no-effect", placeOfKey(path), `'${name}' has no effect ${where}`);
}

/** An empty text is no target, and `pause: false` is what holds anyway. */
const unsaid: readonly unknown[] = [null, "", false];

function isGiven(node: YamlNode | undefined, key: string): boolean {
  const value = findEntry(node, key)?.value;
  return value !== undefined && !(value.kind === "scalar" && unsaid.includes(value.value));
}

function nodeAt(root: YamlNode, path: Path): YamlNode | undefined {
  let node: YamlNode | undefined = root;
  for (const step of path) {
    if (typeof step === "string") node = findEntry(node, step)?.value;
    else node = node?.kind === "list" ? node.items[step] : undefined;
  }
  return node;
}
