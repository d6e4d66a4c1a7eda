import { type Message, type StreamResponse, TaskState } from "@a2a-js/sdk";
import { formatIsoTime } from "../../views/format-iso-time.ts";
import { isOwn, type RunResult } from "../../views/run-result.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { isAtRest } from "../run-standing.ts";
import { buildStatus, describeRun, listArtifacts, sayAnswer, type TaskIds } from "./task-of-run.ts";

/**
 * Turns a run's events into the updates of its task: what agents say on the way, then the output and how the task stands. An answer on
 * the crew's line waits until something follows it, since the last one is the output.
 */
export class TaskUpdates {
  readonly #ids: TaskIds;
  readonly #isHeld: boolean;
  readonly #events: BatonEvent[];
  #waiting: { readonly message: Message; readonly ts: number } | undefined;

  constructor(ids: TaskIds, isHeld: boolean, before: readonly BatonEvent[]) {
    this.#ids = ids;
    this.#isHeld = isHeld;
    this.#events = [...before];
  }

  /** What an event tells. The result is read when the run is at rest. */
  take(event: BatonEvent, readResult: (events: readonly BatonEvent[]) => RunResult): StreamResponse[] {
    if (event.seq === undefined) return [];
    this.#events.push(event);
    if (isAtRest(event)) return this.#rest(event, readResult(this.#events));
    switch (event.type) {
      case "agent.completed": {
        const message = this.#isHeld ? undefined : sayAnswer(event, this.#ids);
        if (message === undefined) return [];
        const said = { message, ts: event.ts };
        if (!isOwn(event)) return [this.#say(said)];
        const before = this.#release();
        this.#waiting = said;
        return before;
      }
      case "agent.started":
      case "handoff":
      case "parallel.started":
      case "crew.entered":
        return this.#release();
      case "run.continued":
      case "run.resumed":
        return [this.#update(TaskState.TASK_STATE_WORKING, undefined, event.ts)];
      default:
        return [];
    }
  }

  #rest(event: BatonEvent, result: RunResult): StreamResponse[] {
    const isOutput = event.type === "run.completed";
    const said = isOutput ? [] : this.#release();
    this.#waiting = undefined;
    const { id: taskId, contextId } = this.#ids;
    const artifacts = listArtifacts(result).map((artifact): StreamResponse => {
      const value = { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
      return { payload: { $case: "artifactUpdate", value } };
    });
    const status = buildStatus(this.#events, result, this.#ids);
    const value = { taskId, contextId, status, metadata: describeRun(result) };
    return [...said, ...artifacts, { payload: { $case: "statusUpdate", value } }];
  }

  #release(): StreamResponse[] {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting === undefined ? [] : [this.#say(waiting)];
  }

  #say({ message, ts }: { readonly message: Message; readonly ts: number }): StreamResponse {
    return this.#update(TaskState.TASK_STATE_WORKING, message, ts);
  }

  #update(state: TaskState, message: Message | undefined, ts: number): StreamResponse {
    const { id: taskId, contextId } = this.#ids;
    const status = { state, message, timestamp: formatIsoTime(ts) };
    return { payload: { $case: "statusUpdate", value: { taskId, contextId, status, metadata: undefined } } };
  }
}
