import type { DocumentWrite } from "../journal/store.ts";
import { buildResult } from "../views/run-result.ts";
import type { BatonEvent, EventType } from "../vocabulary/events.ts";
import type { Paused } from "../vocabulary/pause.ts";

/** Whom to tell when a run pauses or ends: an entry of `notify` in baton.yaml. */
export interface NotifyRule {
  readonly url: string;
  /** The environment variable with the secret that signs the messages. */
  readonly secretEnv?: string | undefined;
  readonly on: readonly NotifiedStatus[];
  /** The crews whose runs it is told of; all if absent. */
  readonly crews?: readonly string[] | undefined;
}

type NotifiedStatus = "paused" | "completed" | "failed" | "cancelled";

/** A message that waits until its receiver has taken it. */
export interface Notice {
  readonly url: string;
  readonly secretEnv?: string | undefined;
  readonly message: NoticeMessage;
  /** How often it was sent. */
  readonly attempts: number;
  readonly createdAt: number;
  /** When it may be sent next. */
  readonly dueAt: number;
}

/** What a receiver is told. */
interface NoticeMessage {
  /** The same for every attempt, so that a receiver can ignore what it has already. */
  readonly deliveryId: string;
  readonly type: EventType;
  readonly runId: string;
  readonly crew: string;
  readonly status: NotifiedStatus;
  readonly user?: string;
  readonly conversation?: string;
  readonly output: string;
  readonly paused?: Paused;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The kind of document that messages are stored as until they are delivered. */
export const NOTIFICATION = "notification";

/** A receiver that wants more asks for the run. */
const MAX_OUTPUT_CHARS = 16_384;

const statuses: Partial<Record<EventType, NotifiedStatus>> = {
  "run.paused": "paused",
  "run.completed": "completed",
  "run.failed": "failed",
  "run.cancelled": "cancelled",
};

/** The messages to store with the newest events of a run, in the same transaction. */
export function writeNotices(
  rules: readonly NotifyRule[],
  added: readonly BatonEvent[],
  events: readonly BatonEvent[],
): DocumentWrite[] {
  if (rules.length === 0) return [];
  return added.flatMap((event) => {
    const status = statuses[event.type];
    const message = status && describe(event, status, events);
    if (message === undefined) return [];
    return rules.flatMap(({ url, secretEnv, on, crews }, index) => {
      if (!on.includes(message.status) || !(crews?.includes(message.crew) ?? true)) return [];
      const deliveryId = `${message.deliveryId}.${index}`;
      const notice: Notice = {
        url,
        ...(secretEnv !== undefined && { secretEnv }),
        message: { ...message, deliveryId },
        attempts: 0,
        createdAt: event.ts,
        dueAt: 0,
      };
      return { kind: NOTIFICATION, key: deliveryId, value: notice, version: 0 };
    });
  });
}

/** A stored message. */
export function readNotice(value: unknown): Notice | undefined {
  // Only Baton writes documents of this kind.
  const notice = value as Notice | null;
  return typeof notice?.url === "string" && notice.message !== undefined ? notice : undefined;
}

function describe(event: BatonEvent, status: NotifiedStatus, events: readonly BatonEvent[]): NoticeMessage | undefined {
  const [started] = events;
  if (started?.type !== "run.started") return undefined;
  const { crew, user, session } = started.data;
  const { output, paused, error } = buildResult(events.slice(0, (event.seq ?? 0) + 1));
  return {
    deliveryId: `${event.runId}.${event.seq}`,
    type: event.type,
    runId: event.runId,
    crew,
    status,
    ...(user !== undefined && { user }),
    ...(session !== undefined && { conversation: session.id }),
    output: output.slice(0, MAX_OUTPUT_CHARS),
    ...(paused !== undefined && { paused }),
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
  };
}
