import { type DiagnosticCode, findSeverity, type Severity } from "../vocabulary/diagnostic.ts";
import { nearestName } from "../vocabulary/nearest-name.ts";
import { describeValue } from "../vocabulary/wording.ts";
import { bindingTypes } from "./binding-types.ts";
import type { SignalProblem } from "./signal-problems.ts";
import type { WrittenBinding } from "./validate-signals.ts";

/** A rule of the signal protocol that a binding breaks. */
export interface ConfigurationProblem extends SignalProblem {
  /** Whether loading would refuse the binding or only warn of it. */
  readonly severity: Severity;
}

interface ReadBinding {
  /** Undefined if the value names no signal. */
  readonly binding: WrittenBinding | undefined;
  /** The agents that are to hear a broadcast. */
  readonly targets: readonly string[];
  readonly problems: readonly ConfigurationProblem[];
}

/** The keys of a binding in `crew.yaml`, and `calls_crew`, which stands for the keys that name a crew. */
const KEYS = [
  "signal",
  "target",
  "targets",
  "type",
  "description",
  "pause",
  "pause_timeout",
  "priority",
  "target_crew",
  "target_crews",
  "return_to",
  "input_template",
  "timeout_seconds",
  "history",
  "on_error",
  "max_retries",
  "fallback_crew",
  "calls_crew",
];

type Values = ReadonlyMap<string, unknown>;

/** Reads a binding that may be anything. `where` names it in messages. */
export function readBinding(given: unknown, where: string, strict: boolean): ReadBinding {
  const none = { binding: undefined, targets: [] };
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return {
      ...none,
      problems: [report("wrong-type", `${where} must be { signal, target, … }, got ${describeValue(given)}`)],
    };
  const values: Values = new Map(
    Object.entries(given).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
  const problems = [...findUnknownKeys(values, where, strict), ...findMistypes(values, where)];
  const signal = values.get("signal");
  if (typeof signal !== "string") return { ...none, problems };
  const targets: unknown = values.get("targets");
  const binding = {
    signal,
    target: readTarget(values.get("target")),
    type: bindingTypes.find((type) => type === values.get("type")),
    callsCrew: callsCrew(values),
  };
  return { binding, targets: isListOfTexts(targets) ? targets : [], problems };
}

/** In files an empty target means that the signal leads nowhere, and a number is a name. */
function readTarget(target: unknown): string | undefined {
  if (typeof target === "number") return String(target);
  return typeof target === "string" && target !== "" ? target : undefined;
}

function callsCrew(values: Values): boolean {
  return ["calls_crew", "target_crew", "target_crews"].some((key) => Boolean(values.get(key)));
}

function findUnknownKeys(values: Values, where: string, strict: boolean): ConfigurationProblem[] {
  return [...values.keys()]
    .filter((key) => !KEYS.includes(key))
    .map((key) => {
      const near = nearestName(key, KEYS);
      const hint = near === undefined ? "" : `; did you mean '${near}'?`;
      // A mistyped key would make the binding say something else.
      return report("unknown-key", `${where} has the unknown key '${key}'${hint}`, strict || near !== undefined);
    });
}

function findMistypes(values: Values, where: string): ConfigurationProblem[] {
  const [signal, target, targets, type] = ["signal", "target", "targets", "type"].map(
    (key) => values.get(key) ?? undefined,
  );
  const wrong = (key: string, wanted: string, got: unknown) =>
    report("wrong-type", `'${key}' of ${where} must be ${wanted}, got ${describeValue(got)}`);
  return [
    ...(signal === undefined ? [report("missing-field", `${where} needs 'signal'`)] : []),
    ...(signal === undefined || typeof signal === "string" ? [] : [wrong("signal", "text", signal)]),
    ...(["undefined", "string", "number"].includes(typeof target) ? [] : [wrong("target", "a name", target)]),
    ...(targets === undefined || isListOfTexts(targets) ? [] : [wrong("targets", "a list of names", targets)]),
    ...(type === undefined || bindingTypes.some((each) => each === type)
      ? []
      : [wrong("type", `one of ${bindingTypes.join(", ")}`, type)]),
    ...(type === "sub_crew" && !callsCrew(values)
      ? [report("missing-field", `${where} is of type sub_crew and needs 'target_crew' or 'target_crews'`)]
      : []),
  ];
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function report(code: DiagnosticCode, message: string, isError = true): ConfigurationProblem {
  return { severity: isError ? "error" : findSeverity(code, false), code, message, at: "signal" };
}
