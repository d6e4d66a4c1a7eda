import type { DiagnosticCode } from "../vocabulary/diagnostic.ts";
import { describeValue } from "../vocabulary/wording.ts";

/** A violated rule of the signal protocol, in the protocol's own words. */
export interface SignalProblem<Code extends DiagnosticCode = DiagnosticCode> {
  readonly code: Code;
  readonly message: string;
  /** The part of a binding that is wrong. */
  readonly at: "signal" | "target";
}

export const signalProblems = {
  badFormat: (signal: string) =>
    createSignalProblem("bad-signal-format", `signal '${signal}' has invalid format - must match [NAME]`),
  notRegistered: (signal: string) =>
    createSignalProblem("unregistered-signal", `signal '${signal}' is not registered (unknown signal)`),
  notAllowed: (signal: string, agent: string) =>
    createSignalProblem("disallowed-emitter", `agent '${agent}' is not allowed to emit signal '${signal}'`),
  alreadyRegistered: (signal: string) =>
    createSignalProblem("duplicate-signal", `signal '${signal}' already registered`),
  deprecated: (signal: string, message: string) =>
    createSignalProblem("deprecated-signal", `signal '${signal}' is deprecated: ${message}`),
  unknownTarget: (signal: string, target: string) =>
    createTargetProblem("unknown-target", `signal '${signal}' targets unknown agent '${target}'`),
  unknownGroup: (signal: string, target: string) =>
    createTargetProblem("unknown-group", `signal '${signal}' targets unknown group '${target}'`),
  invalidTarget: (signal: string, target: string, valid: readonly string[]) =>
    createTargetProblem("bad-target", `signal '${signal}' cannot target '${target}' (valid: ${valid.join(", ")})`),
  terminationWithTarget: (signal: string, target: string) =>
    createTargetProblem("bad-target", `termination signal '${signal}' must have empty target, got '${target}'`),
  pauseWithTarget: (signal: string, target: string) =>
    createTargetProblem("bad-target", `pause signal '${signal}' must have empty target, got '${target}'`),
  noValidTarget: (signal: string) =>
    createTargetProblem(
      "bad-target",
      `signal '${signal}' has an empty list of valid targets, so nothing could be its target`,
    ),
  noEmitter: (signal: string) =>
    createSignalProblem(
      "wrong-type",
      `signal '${signal}' has an empty list of allowed agents, so no agent could emit it`,
    ),
  malformed: (signal: string, field: string, wanted: string, got: unknown) =>
    createSignalProblem("wrong-type", `signal '${signal}': '${field}' must be ${wanted}, got ${describeValue(got)}`),
  unknownEmitter: (agent: string) => createSignalProblem("unknown-agent", `unknown agent '${agent}'`),
  boundTwice: (signal: string, agent: string) =>
    createSignalProblem("duplicate-signal", `agent '${agent}' binds signal '${signal}' twice`),
  ambiguous: (earlier: string, signal: string, agent: string) =>
    createSignalProblem(
      "ambiguous-signal",
      `signals '${earlier}' and '${signal}' of agent '${agent}' differ in case, '_', '-', spaces or the encoding of accents only: models will mix them up`,
    ),
  targetWithoutMeaning: (signal: string, type: string) =>
    createTargetProblem("bad-target", `signal '${signal}' is of type ${type}, which has no target`),
  routeWithoutTarget: (signal: string) =>
    createTargetProblem("bad-target", `routing signal '${signal}' must have a target agent`),
} as const;

function createSignalProblem<const Code extends DiagnosticCode>(code: Code, message: string): SignalProblem<Code> {
  return { code, message, at: "signal" };
}

function createTargetProblem<const Code extends DiagnosticCode>(code: Code, message: string): SignalProblem<Code> {
  return { code, message, at: "target" };
}
