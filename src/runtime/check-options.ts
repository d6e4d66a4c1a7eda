import { parseModel } from "../definition/parse-model.ts";
import { findModelProblem } from "../models/model-choice.ts";
import { SCRIPT_EXAMPLE } from "../prepare/script.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { isPromise } from "../vocabulary/promise.ts";
import { nameKind } from "../vocabulary/wording.ts";
import type { CrewEnvironment, ResumeOptions, StartOptions } from "./environment.ts";

/** What the compiler says in TypeScript, for those who write JavaScript: an option that has no effect must not go unnoticed. */
type Checks<Options> = { readonly [Key in keyof Options]-?: (value: unknown) => string | undefined };

const MAX_USER = 256;
const MAX_PRIORITY = 1_000_000;
const MAX_DELAY_MS = 366 * 24 * 3600 * 1000;

const runOptions: Checks<ResumeOptions & StartOptions> = {
  script: scriptProblem,
  context: ofType("object"),
  user: userProblem,
  by: byProblem,
  traceparent: ofType("string"),
  history: historyProblem,
  variables: variablesProblem,
  queue: queueProblem,
  isServed: ofType("boolean"),
  signal: abortProblem,
  stop: abortProblem,
  release: abortProblem,
  graceMs: ofType("number"),
  onExternal: ofType("function"),
  onEvent: ofType("function"),
  acceptChanges: ofType("boolean"),
  original: ofType("boolean"),
  wait: ofType("boolean"),
};

const environments: Checks<CrewEnvironment> = {
  clock: withMethods("a clock", "now"),
  tools: toolsProblem,
  models: modelsProblem,
  script: scriptProblem,
  env: ofType("object"),
  teams: ofType("object"),
  root: ofType("string"),
  approveServer: ofType("function"),
  onWait: ofType("function"),
  captureContent: ofType("boolean"),
  variables: ofType("object"),
  context: (value) => (typeof value === "function" ? undefined : ofType("object")(value)),
  source: ofType("string"),
  allow: ofType("string"),
  store: storeProblem,
};

export function checkRunOptions(options: ResumeOptions): void {
  check(options, runOptions, "a run");
}

const startKeys: readonly (keyof StartOptions)[] = ["user", "history", "variables", "isServed"];

/** What a run begins with is stored when it starts, and stays so. */
export function refuseStartOptions(options: ResumeOptions): void {
  const given: Readonly<Record<string, unknown>> = { ...options };
  for (const key of startKeys)
    if (given[key] !== undefined)
      throw new BatonError(
        "bad-option",
        `the option '${key}' is for the start of a run, which stores it: leave it out here`,
      );
}

export function checkEnvironment(environment: CrewEnvironment): void {
  check(environment, environments, "a crew");
}

function check<Options extends object>(options: Options, checks: Checks<Options>, of: string): void {
  if (typeof options !== "object" || options === null)
    throw new BatonError("bad-option", `the options of ${of} must be an object; got ${nameKind(options)}`);
  for (const [key, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, key)) {
      const known = Object.keys(checks).join(", ");
      throw new BatonError("bad-option", `${of} has no option '${key}'; there are ${known}`);
    }
    // That was just asked.
    const problem = value === undefined ? undefined : checks[key as keyof Options](value);
    if (problem !== undefined) throw new BatonError("bad-option", `the option '${key}' of ${of} ${problem}`);
  }
}

function ofType(type: "number" | "function" | "boolean" | "object" | "string") {
  return (value: unknown): string | undefined =>
    typeof value === type && value !== null ? undefined : `must be ${article(type)}; got ${nameKind(value)}`;
}

function article(type: string): string {
  return `${type === "object" ? "an" : "a"} ${type}`;
}

function withMethods(what: string, ...names: readonly string[]) {
  return (value: unknown): string | undefined => {
    const missing = names.find((name) => !hasMethod(value, name));
    return missing === undefined
      ? undefined
      : `must be ${what}; got ${nameKind(value)}, which has no method '${missing}'`;
  };
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function";
}

function abortProblem(value: unknown): string | undefined {
  if (value instanceof AbortController) return "must be an AbortSignal; got an AbortController: pass its .signal";
  return value instanceof AbortSignal ? undefined : `must be an AbortSignal; got ${nameKind(value)}`;
}

function storeProblem(value: unknown): string | undefined {
  if (isPromise(value)) return "is a promise: write store: await openSqliteStore(file)";
  return withMethods("a store", "take", "append", "read", "get", "put", "release", "close")(value);
}

/** Maps and lists are refused: their entries would be looked for under other names. */
function modelsProblem(value: unknown): string | undefined {
  if (!isPlainRecord(value)) return `must be an object such as { "acme/large": model }; got ${nameKind(value)}`;
  return firstProblem(Object.entries(value), ([name, model]) => {
    if (parseModel(name) === undefined)
      return `has the key '${name}': write the name that agents list, "provider/model"`;
    const problem = findModelProblem(model);
    return problem && `has no model for '${name}': it ${problem}`;
  });
}

/** As a store keeps names. */
function userProblem(value: unknown): string | undefined {
  const isName = typeof value === "string" && value.trim() !== "" && value.length <= MAX_USER && !/\p{Cc}/u.test(value);
  return isName ? undefined : `must be a text of 1 to ${MAX_USER} characters without control characters`;
}

/** `deadline` is what a pause's own deadline is recorded as. */
function byProblem(value: unknown): string | undefined {
  return value === "deadline" ? "cannot be 'deadline', which stands for the deadline of a pause" : userProblem(value);
}

function historyProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `must be a list of { role, text }; got ${nameKind(value)}`;
  return firstProblem(value, (message, index) => {
    const { role, text, agent } = isPlainRecord(message) ? message : {};
    const isMessage = (role === "user" || role === "assistant") && typeof text === "string";
    if (!isMessage) return `has no message at ${index}: write { role: "user", text: "…" } or { role: "assistant", … }`;
    if (agent === undefined) return undefined;
    if (role === "user") return `has an agent at ${index}, where the role is 'user': only an assistant is an agent`;
    return typeof agent === "string" && agent !== "" ? undefined : `has an agent at ${index} that is not a name`;
  });
}

function variablesProblem(value: unknown): string | undefined {
  const isTexts = isPlainRecord(value) && Object.values(value).every((each) => typeof each === "string");
  return isTexts ? undefined : 'must be an object of texts such as { city: "Hue" }';
}

function queueProblem(value: unknown): string | undefined {
  if (!isPlainRecord(value)) return `must be an object such as { priority: 0 }; got ${nameKind(value)}`;
  const { priority = 0, delayMs = 0, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has no '${unknown}'; there are priority, delayMs`;
  if (!Number.isInteger(priority) || Number(priority) < 0 || Number(priority) > MAX_PRIORITY)
    return `has a priority that is not a whole number from 0 to ${MAX_PRIORITY}`;
  const isDelay = typeof delayMs === "number" && delayMs >= 0 && delayMs <= MAX_DELAY_MS;
  return isDelay ? undefined : `has a delayMs that is not a number from 0 to ${MAX_DELAY_MS} (a year)`;
}

function scriptProblem(value: unknown): string | undefined {
  const isScript = typeof value === "object" && value !== null && isPlainRecord(Reflect.get(value, "replies"));
  return isScript ? undefined : `must be a script: write script(${SCRIPT_EXAMPLE}); got ${nameKind(value)}`;
}

function toolsProblem(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstProblem(value, (tool, index) => toolProblem(tool, String(index)));
  if (!isPlainRecord(value)) return `must be a list of tools or an object such as { lookup }; got ${nameKind(value)}`;
  return firstProblem(Object.entries(value), ([name, tool]) => toolProblem(tool, `'${name}'`));
}

function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

/** A tool as defineTool gives it. */
function toolProblem(tool: unknown, index: string): string | undefined {
  const isTool = hasMethod(tool, "execute") && hasMethod(tool, "read");
  return isTool
    ? undefined
    : `has no tool at ${index}: write defineTool({ name, description, execute }); got ${nameKind(tool)}`;
}

function firstProblem<Item>(
  items: readonly Item[],
  findProblem: (item: Item, index: number) => string | undefined,
): string | undefined {
  return items.map(findProblem).find((problem) => problem !== undefined);
}
