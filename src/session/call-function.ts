import { type CallableFunction, RemoteReply } from "../tools/agent-function.ts";
import type { EventData, EventPlace, Failure } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { isBlank } from "../vocabulary/wording.ts";
import { askForRemote, type RemoteTurn, recordRemote } from "./ask-for-remote.ts";
import { describeCall } from "./describe-call.ts";
import { showWhenAllowed } from "./open-request.ts";
import { explainThrown, formatResult, readResult } from "./read-result.ts";
import type { Session } from "./session.ts";

/** How a call of an agent's function ends: with its text, or with why there is none. */
export type FunctionOutcome =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "failed"; readonly failure: Failure };

/**
 * Calls the function of an agent without a model: a step of the run, as a model call is. A remote agent may ask something before it
 * answers: then the run pauses, and each answer is a step of its own.
 */
export async function callFunction(
  session: Session,
  callable: CallableFunction,
  input: string,
): Promise<FunctionOutcome> {
  let turn: RemoteTurn = { words: input };
  for (let round = 0; ; round++) {
    const event = await callOnce(session, callable, turn, round);
    if (event.type === "function.failed") {
      const { code, message } = event.data;
      return fail(session, code, `failed: ${message}`);
    }
    const { result, remote } = event.data;
    if (remote?.asks === undefined) return takeText(session, result);
    const next = await askForRemote(
      session,
      remote,
      event,
      turn,
      callable.nameRemote?.(session.run.facts.makeKey(event.path)).contextId,
    );
    if ("text" in next) return takeText(session, next.text);
    turn = next;
  }
}

async function callOnce(session: Session, callable: CallableFunction, { words, ids }: RemoteTurn, round: number) {
  const { agent, run, scope, turns, place: at } = session;
  const place = { ...at, path: `${at.path}/f${turns}${round === 0 ? "" : `r${round}`}` };
  const crew = at.crew ?? "";
  const { effect, nameRemote } = callable;
  const key = callable.findKey?.(agent.id, crew) ?? `${crew}/${agent.id}`;
  // Known before anything is sent, and journalled. An answer stays in the context of its task.
  const remote = nameRemote && { ...nameRemote(run.facts.makeKey(place.path)), ...ids };
  const request = { input: words, agent: agent.id, crew, calls: run.count(`function ${key}`), remote };
  const timeoutMs = agent.limits.toolTimeoutMs;
  const failed = (code: EventData["function.failed"]["code"], message: string) =>
    ({
      type: "function.failed",
      data: { code, message, ...(remote !== undefined && { isRemote: true as const }) },
    }) as const;
  const redact = (text: string) => run.redactor?.redact(text) ?? text;
  const event = await run.step<unknown>({
    place,
    scope,
    intent: { type: "function.called", data: { effect, ...(remote !== undefined && { remote }) } },
    timeoutMs,
    act: (abort) =>
      callable.call(request, describeCall({ run, agent, place, effect, intent: "function.called" }, abort)),
    completed: (value) => {
      const recorded = value instanceof RemoteReply ? recordRemote(value.outcome, place, redact) : undefined;
      const data = recorded ?? { result: redact(readResult(value)) };
      show(session, data.result);
      return { type: "function.completed", data };
    },
    failed: (error) => failed("tool_failed", redact(explainThrown(error))),
    late: () => failed("timeout", `did not finish within ${timeoutMs / 1000} s`),
    cancelled: (reason) => failed("cancelled", reason),
    ambiguity: effect === "once" ? askWhetherItHappened(place) : undefined,
  });
  if (event.type === "function.completed" || event.type === "function.failed") return event;
  throw new Error(`a call of a function cannot end in ${event.type}`);
}

/** An agent that says nothing has not answered, unless it may be silent. */
function takeText(session: Session, text: string): FunctionOutcome {
  if (!isBlank(text) || session.mayBeSilent) return { type: "text", text };
  return fail(session, "tool_failed", "returned no text: return what the agent answers");
}

function fail({ place, callable }: Session, code: string, what: string): FunctionOutcome {
  const agent = nameSpeaker(place);
  const called = callable?.nameRemote !== undefined ? "call" : "function";
  return { type: "failed", failure: { code, message: `the ${called} of agent '${agent}' ${what}`, agent } };
}

/** The text for the run's reader, as one part: without the signal tokens that the reader is not to see. */
function show({ run, place, listener }: Session, text: string): void {
  const cleaner = listener?.createCleaner();
  const shown = cleaner === undefined ? text : cleaner.push(text) + cleaner.end();
  if (shown !== "") showWhenAllowed(listener, () => run.show(place, "text.delta", { text: shown }));
}

function askWhetherItHappened(place: EventPlace) {
  const agent = nameSpeaker(place);
  return {
    question: {
      agent,
      reason: "ambiguous" as const,
      prompt: `The function of agent '${agent}' was called when the run was interrupted. Did it happen?`,
      options: ["happened", "not_happened"],
    },
    resultOf: ({ decision, result }: { readonly decision?: string; readonly result?: unknown }) =>
      decision === "happened"
        ? ({ type: "function.completed", data: { result: formatResult(result) } } as const)
        : undefined,
  };
}
