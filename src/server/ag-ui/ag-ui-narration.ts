import { type Event, EventType, type Interrupt, PROTOCOL_VERSION } from "@ag-ui/core";
import { isOwn, type RunResult } from "../../views/run-result.ts";
import { type BatonEvent, type EventOf, nameSpeaker } from "../../vocabulary/events.ts";
import { CrewState } from "./crew-state.ts";
import { toInterrupt } from "./interrupts.ts";
import { OpenSteps } from "./open-steps.ts";
import { listUsage } from "./token-usage.ts";
import { isSameText, ToldSession } from "./told-session.ts";
import { type CalledTool, ToldTools } from "./told-tools.ts";

/** What a request calls its thread and its run. */
export interface AgUiIds {
  readonly threadId: string;
  readonly runId: string;
}

export interface NarrationOptions {
  readonly ids: AgUiIds;
  /** The run that is told, as Baton calls it. */
  readonly runId: string;
  /** Whether words are told only as far as they are streamed, because guards look at a crew's output before anybody reads it. */
  readonly isHeld: boolean;
}

/**
 * Turns a run's events into AG-UI's. A run that pauses is told in several parts, each an AG-UI run of its own: `remember` takes what
 * earlier parts told. Whatever is open is closed before the end, and agents that still work are announced again in the next part.
 */
export class AgUiNarration {
  readonly #options: NarrationOptions;
  readonly #sessions = new Map<string, ToldSession>();
  readonly #whole: ToldSession;
  readonly #steps = new OpenSteps();
  readonly #tools: ToldTools;
  readonly #state = new CrewState();
  readonly #events: BatonEvent[] = [];
  #interrupt: Interrupt | undefined;
  /** The newest answer on the crew's line that was told. */
  #told = "";

  constructor(options: NarrationOptions) {
    this.#options = options;
    const prefix = `${options.runId}:`;
    this.#whole = new ToldSession({ id: undefined, name: "", path: "", prefix: `${prefix}crew`, isOnLine: true });
    this.#tools = new ToldTools(prefix);
  }

  /** Takes what happened before this part, and tells nothing. */
  remember(events: readonly BatonEvent[]): void {
    for (const event of events) this.take(event);
    this.#events.length = 0;
    this.#interrupt = undefined;
    for (const session of this.#sessions.values()) session.isAnnounced = false;
  }

  begin(ignored: readonly string[] = []): Event[] {
    const { ids, runId } = this.#options;
    return [
      { type: EventType.RUN_STARTED, ...ids, protocolVersion: PROTOCOL_VERSION, metadata: { baton: { runId } } },
      { type: EventType.STATE_SNAPSHOT, snapshot: this.#state.snapshot() },
      // What a request asks for and no crew does is not left out in silence.
      ...(ignored.length === 0
        ? []
        : [{ type: EventType.CUSTOM, name: "baton.ignored", value: [...ignored] } satisfies Event]),
    ];
  }

  take(event: BatonEvent): Event[] {
    if (event.seq !== undefined) this.#events.push(event);
    const told = this.#tell(event);
    const delta = this.#state.take(event);
    return delta.length === 0 ? told : [...told, { type: EventType.STATE_DELTA, delta }];
  }

  /** The end of this part: the run has ended or pauses. */
  finish(result: RunResult): Event[] {
    const { ids } = this.#options;
    const usage = listUsage(this.#events);
    const isFailed = result.status === "failed";
    const told = this.#closeAll(isFailed || result.status === "cancelled" ? result.status : undefined);
    if (isFailed) {
      const { code, message } = result.error;
      return [...told, { type: EventType.RUN_ERROR, message, code, usage }];
    }
    const finished = { type: EventType.RUN_FINISHED, ...ids, usage } as const;
    if (this.#interrupt !== undefined)
      return [...told, { ...finished, outcome: { type: "interrupt", interrupts: [this.#interrupt] } }];
    if (result.status === "cancelled") return [...told, { ...finished, outcome: { type: "cancelled" } }];
    const { output, runId, finalAgent, stopReason, path, handoffs, cost, object } = result;
    const summary = {
      output,
      runId,
      finalAgent,
      stopReason,
      path,
      handoffs,
      cost,
      ...(object !== undefined && { object }),
    };
    const rest = isSameText(output, this.#told) ? [] : this.#whole.answer(output);
    return [...told, ...rest, { ...finished, result: summary, outcome: { type: "success" } }];
  }

  #tell(event: BatonEvent): Event[] {
    switch (event.type) {
      case "agent.started":
        return this.#open(event);
      case "agent.completed":
        return this.#complete(event);
      case "agent.failed":
        return this.#fail(event, event.data.message, event.data.code);
      case "model.called":
        this.#find(event)?.beginCall(event.seq ?? 0);
        return [];
      case "model.completed":
        return this.#takeReply(event);
      case "model.failed":
        return this.#announced(event, (session) => session.close({ isDiscarded: true }));
      case "text.delta":
        return this.#takeDelta(event);
      case "reasoning.delta":
        return this.#announced(event, (session) => session.say("reasoning", event.data.text));
      case "tool.called":
        return this.#announced(event, ({ tag }) => this.#tools.call(event.path, event.data, tag));
      case "tool.completed":
        return this.#announced(event, ({ tag }) => this.#tools.answer(event.path, event.data.result, tag));
      case "tool.failed":
        return this.#announced(event, ({ tag }) => this.#tools.answer(event.path, event.data.message, tag));
      case "text.retracted":
        return [...this.#retract(event)];
      case "handoff":
        return this.#steps.begin(event);
      case "crew.left":
        return this.#steps.leave(event);
      case "run.paused":
        return this.#pause(event);
      default:
        return [];
    }
  }

  #open(event: EventOf<"agent.started">): Event[] {
    const { path, seq = 0 } = event;
    const before = this.#sessions.get(path);
    const ended = before === undefined ? [] : this.#end(before);
    const id = `${this.#options.runId}:${seq}`;
    const session = new ToldSession({ id, name: nameSpeaker(event), path, prefix: `${id}.`, isOnLine: isOwn(event) });
    this.#sessions.set(path, session);
    return [...ended, ...this.#announce(session)];
  }

  #complete(event: EventOf<"agent.completed">): Event[] {
    const session = this.#sessions.get(event.path);
    if (session === undefined) return [];
    const { answer, shown = answer } = event.data;
    const told = this.#announce(session);
    const words = this.#options.isHeld ? session.close() : session.answer(shown);
    if (isOwn(event) && session.hasSaid(shown)) this.#told = shown;
    return [...told, ...words, ...this.#end(session)];
  }

  #fail(event: BatonEvent, message: string, code: string): Event[] {
    const session = this.#sessions.get(event.path);
    if (session === undefined) return [];
    return [...this.#announce(session), ...this.#end(session, { message, code })];
  }

  #takeReply(event: EventOf<"model.completed">): Event[] {
    const { reasoning = "", toolCalls } = event.data;
    return this.#announced(event, (session) => {
      session.toolCalls = toolCalls;
      return [...session.close(), ...(this.#options.isHeld ? [] : session.think(reasoning))];
    });
  }

  #takeDelta(event: EventOf<"text.delta">): Event[] {
    const { text, startsOver = false } = event.data;
    // What the crew's own guards let pass belongs to no agent.
    if (event.agent === undefined) return event.crew === undefined ? this.#whole.say("text", text) : [];
    return this.#announced(event, (session) => [
      ...(startsOver ? session.close({ isDiscarded: true }) : []),
      ...session.say("text", text),
    ]);
  }

  *#retract({ data, agent, path }: EventOf<"text.retracted">): Iterable<Event> {
    const session = agent === undefined ? this.#whole : this.#sessions.get(path);
    yield* session?.close({ isDiscarded: true }) ?? [];
    yield { type: EventType.CUSTOM, name: "baton.retracted", value: { ...data, agent }, ...session?.tag };
  }

  #pause(event: EventOf<"run.paused">): Event[] {
    const asker = this.#find(event);
    const call = findPendingCall(event, asker);
    const tag = asker?.tag ?? {};
    const told = asker === undefined ? [] : this.#announce(asker);
    if (call !== undefined) told.push(...this.#tools.call(call.path, call, tag));
    const callId = this.#tools.idOf(event.path.replace(/\/ask$/, ""));
    this.#interrupt = toInterrupt(event, { callId, tag });
    return [...told, ...this.#closeAll("paused", asker)];
  }

  /** Closes all that is open. Agents that a pause interrupts go on in the next part. */
  #closeAll(why?: "paused" | "failed" | "cancelled", asker?: ToldSession): Event[] {
    const told = [...this.#whole.close()];
    // Those that were called by others end before them.
    for (const session of [...this.#sessions.values()].reverse()) {
      if (why === "paused") told.push(...this.#suspend(session, session === asker));
      else
        told.push(
          ...this.#end(
            session,
            why && { message: `the run ${why === "failed" ? "failed" : "was cancelled"}`, code: why },
          ),
        );
    }
    return [...told, ...this.#steps.endAll()];
  }

  #suspend(session: ToldSession, isAsker: boolean): Event[] {
    const { id: subagentRunId = "" } = session;
    const told = session.close();
    if (!session.isAnnounced) return told;
    session.isAnnounced = false;
    const interruptIds = isAsker && this.#interrupt !== undefined ? [this.#interrupt.id] : [];
    return [
      ...told,
      { type: EventType.SUBAGENT_FINISHED, subagentRunId, outcome: { type: "suspended", interruptIds } },
    ];
  }

  #end(session: ToldSession, failure?: { readonly message: string; readonly code: string }): Event[] {
    this.#sessions.delete(session.path);
    const told = session.close({ isDiscarded: failure !== undefined });
    if (!session.isAnnounced) return told;
    const { id: subagentRunId = "" } = session;
    if (failure !== undefined) return [...told, { type: EventType.SUBAGENT_ERROR, subagentRunId, ...failure }];
    return [...told, { type: EventType.SUBAGENT_FINISHED, subagentRunId, outcome: { type: "success" } }];
  }

  /** What an event adds to its agent, which is announced before. */
  #announced(event: BatonEvent, tell: (session: ToldSession) => Event[]): Event[] {
    const session = this.#find(event);
    if (session === undefined) return [];
    const told = tell(session);
    return told.length === 0 ? told : [...this.#announce(session), ...told];
  }

  #announce(session: ToldSession): Event[] {
    if (session.isAnnounced || session.id === undefined) return [];
    session.isAnnounced = true;
    const caller = this.#findAbove(session.path);
    const parentToolCallId = this.#tools.findAround(session.path);
    return [
      ...(caller === undefined ? [] : this.#announce(caller)),
      {
        type: EventType.SUBAGENT_STARTED,
        subagentRunId: session.id,
        name: session.name,
        ...(caller?.id !== undefined && { parentSubagentRunId: caller.id }),
        ...(parentToolCallId !== undefined && { parentToolCallId }),
      },
    ];
  }

  /** The innermost open session at or around an event. */
  #find({ path }: BatonEvent): ToldSession | undefined {
    return this.#sessions.get(path) ?? this.#findAbove(path);
  }

  #findAbove(path: string): ToldSession | undefined {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const session = this.#sessions.get(path.slice(0, at));
      if (session !== undefined) return session;
    }
    return undefined;
  }
}

/** The call that waits for an approval: the model asked for it, and it was not made. */
function findPendingCall(
  { path, data }: EventOf<"run.paused">,
  asker: ToldSession | undefined,
): CalledTool | undefined {
  const index = /\/c(\d+)\/ask$/.exec(path)?.[1];
  if (data.reason !== "approval" || index === undefined) return undefined;
  const call = asker?.toolCalls[Number(index)];
  return call === undefined
    ? undefined
    : { path: path.replace(/\/ask$/, ""), tool: call.name, args: call.malformed ?? call.args };
}
