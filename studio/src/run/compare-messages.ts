/** A message in any provider's form: a role, and whatever else it has. */
export interface SentMessage {
  readonly role: string;
  readonly [key: string]: unknown;
}

/** The request of a model call, and the messages of the same agent's call before it. */
export interface CallRequestJson {
  readonly messages: readonly SentMessage[];
  readonly previous?: readonly SentMessage[];
}

/** What changed in an agent's messages between two of its calls. */
export function compareMessages({ messages, previous = [] }: CallRequestJson): {
  readonly added: readonly SentMessage[];
  readonly repeated: number;
  readonly dropped: number;
} {
  const left = new Map<string, number>();
  for (const message of previous) left.set(key(message), (left.get(key(message)) ?? 0) + 1);
  const added = messages.filter((message) => {
    const count = left.get(key(message)) ?? 0;
    if (count > 0) left.set(key(message), count - 1);
    return count === 0;
  });
  const dropped = [...left.values()].reduce((sum, count) => sum + count, 0);
  return { added, repeated: messages.length - added.length, dropped };
}

function key(message: SentMessage): string {
  return JSON.stringify(message);
}
