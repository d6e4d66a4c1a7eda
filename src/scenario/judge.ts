import { buildResult } from "../views/run-result.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { isNamed } from "./is-named.ts";
import { findMismatch } from "./match.ts";
import type { Played } from "./play-scenario.ts";
import type { Scenario } from "./read-scenario.ts";

type Expectation = NonNullable<Scenario["expect"]>;
type Script = Scenario["script"];

/** Lists what a scenario expected and did not get, each as a few lines of text; empty if it passed. */
export function judge({ diagnostics, events, expand }: Played, expected: Expectation, script: Script): string[] {
  const problems = [...judgeDiagnostics(diagnostics, expected)];
  if (expected.status === "invalid") {
    if (events !== undefined) problems.push('status\n    expected  "invalid"\n    got       a crew that loads');
    return problems;
  }
  if (events === undefined) {
    const errors = diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ file, line, code, message }) => `    ${file}:${line} ${code} ${message}`);
    return [...problems, ["the crew does not load", ...errors].join("\n")];
  }
  return [
    ...problems,
    ...listExhausted(events),
    ...judgeResult(events, expected, script, expand),
    ...judgeEvents(events, expected),
  ];
}

function judgeDiagnostics(diagnostics: Played["diagnostics"], expected: Expectation): string[] {
  const found = diagnostics.map(({ code, message }) => `    ${code} ${message}`).join("\n") || "    none";
  const missing = (expected.diagnostics ?? []).filter((each) => !diagnostics.some((one) => isMatch(each, one)));
  const unwanted = (expected.no_diagnostics ?? []).filter((each) => diagnostics.some((one) => isMatch(each, one)));
  return [
    ...missing.map((each) => `diagnostics\n    expected  ${JSON.stringify(each)}\n    got\n${found}`),
    ...unwanted.map((each) => `noDiagnostics\n    did not expect  ${JSON.stringify(each)}\n    got\n${found}`),
  ];
}

function isMatch(expected: object, actual: object): boolean {
  const given = Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined));
  return findMismatch(given, actual, "") === undefined;
}

/** A run that needs more replies than the script has is not the intended run. */
function listExhausted(events: readonly BatonEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "model.failed" && event.data.code === "script_exhausted" ? [event.data.message] : [],
  );
}

function judgeResult(
  events: readonly BatonEvent[],
  expected: Expectation,
  script: Script,
  expand: Played["expand"],
): string[] {
  const result = buildResult(events);
  const wanted: Record<string, unknown> = {
    status: expected.status,
    stopReason: expected.stop_reason,
    output: expected.output,
    finalAgent: expected.final_agent,
    path: expected.path,
    handoffs: expected.handoffs,
    rounds: expected.rounds,
    usage: expected.usage && convertToCamelKeys(expected.usage),
    cost: expected.cost,
    paused: expected.paused,
    error: expected.error,
  };
  const problems = Object.entries(wanted).flatMap(([key, value]) =>
    value === undefined ? [] : (findMismatch(removeUndefined(value), result[key as keyof typeof result], key) ?? []),
  );
  const inputs = [...(expected.inputs ?? [])].flatMap(([agent, messages]) => {
    const given = listInputs(events, agent, listNamesakes(agent, expected, script));
    const wantedInputs = messages.map(removeUndefined);
    const mismatch = findMismatch(wantedInputs, given, `inputs.${agent}`);
    // What a text file says is part of what its agent is told.
    const isTold = mismatch !== undefined && expand !== undefined && given.some((text) => expand(text) !== text);
    return (isTold ? findMismatch(wantedInputs, given.map(expand), `inputs.${agent}`) : mismatch) ?? [];
  });
  return [...problems, ...inputs];
}

/** The user messages that orchestration gave an agent, in order. */
function listInputs(events: readonly BatonEvent[], name: string, namesakes: readonly string[]): string[] {
  return events.flatMap((event) => {
    const isTold = event.type === "agent.started" || event.type === "agent.told";
    const isMeant = isNamed(event, name) && !namesakes.some((other) => isNamed(event, other));
    return isTold && isMeant ? [event.data.input] : [];
  });
}

/** Agents with the same id in other crews, if the scenario distinguishes them. */
function listNamesakes(name: string, { inputs }: Expectation, script: Script): string[] {
  const names = [...(inputs?.keys() ?? []), ...(script?.has(name) ? script.keys() : [])];
  return names.filter((each) => each.endsWith(`/${name}`));
}

/** Each key must match. The agent of a sub-crew may be given by both names, as in `inputs`. */
function isEvent(expected: unknown, event: BatonEvent): boolean {
  const { agent, ...rest } = expected as { readonly agent?: unknown };
  const isByCrew = typeof agent === "string" && agent.includes("/");
  return isByCrew ? isNamed(event, agent) && isMatch(rest, event) : isMatch(expected as object, event);
}

/** Checks that the events occur in order; others may be between them. */
function judgeEvents(events: readonly BatonEvent[], expected: Expectation): string[] {
  let from = 0;
  const problems: string[] = [];
  for (const each of expected.events ?? []) {
    const index = events.findIndex((event, position) => position >= from && isEvent(each, event));
    if (index === -1) {
      const after = from === 0 ? "" : ` after event ${from}`;
      const types = events.slice(from).map(({ type, agent }) => (agent === undefined ? type : `${type}(${agent})`));
      problems.push(`events\n    expected${after}  ${JSON.stringify(each)}\n    got       ${types.join(" ")}`);
      break;
    }
    from = index + 1;
  }
  for (const each of expected.no_events ?? []) {
    const event = events.find((one) => isEvent(each, one));
    if (event !== undefined)
      problems.push(`noEvents\n    did not expect  ${JSON.stringify(each)}\n    got       ${JSON.stringify(event)}`);
  }
  return problems;
}

function removeUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeUndefined);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[key, removeUndefined(each)]])),
  );
}

function convertToCamelKeys(usage: object): object {
  const names: Readonly<Record<string, string>> = { cache_read: "cacheRead", cache_write: "cacheWrite" };
  return Object.fromEntries(Object.entries(usage).map(([key, value]) => [names[key] ?? key, value]));
}
