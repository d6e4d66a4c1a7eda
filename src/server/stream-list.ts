import type { Call, Reply } from "./api-route.ts";

/** Other processes tell nobody what they write, so the store is looked at this often for it. */
const LOOK_MS = 1000;
/** What this process writes within this time is looked at together. */
const SETTLE_MS = 20;

/** Sends a list as it is, and then each entry that is new or has changed, until the reader goes away. */
export async function streamList<Entry extends { readonly runId: string }>(
  { service, outgoing }: Call<unknown, unknown>,
  name: string,
  list: () => Promise<readonly Entry[]>,
): Promise<Reply> {
  const first = await list();
  const stream = service.streams.open(outgoing);
  const sent = new Map<string, string>();
  const send = (entries: readonly Entry[]) => {
    const present = new Set(entries.map(({ runId }) => runId));
    for (const runId of [...sent.keys()])
      if (!present.has(runId)) {
        sent.delete(runId);
        stream.write(`event: gone\ndata: ${JSON.stringify({ runId })}\n\n`);
      }
    for (const entry of entries.toReversed()) {
      const text = JSON.stringify(entry);
      if (sent.get(entry.runId) === text) continue;
      sent.set(entry.runId, text);
      stream.write(`event: ${name}\ndata: ${text}\n\n`);
    }
  };
  send(first);
  const look = () => list().then(send, () => stream.end());
  const unlisten = lookOften(look, (listener) => service.changes.listen(listener));
  stream.onClose(unlisten);
  return "streamed";
}

/** Looks soon after each change and at set times, never twice at once. Returns what ends that. */
function lookOften(look: () => Promise<void>, listen: (listener: () => void) => () => void): () => void {
  let isLooking = false;
  let isStale = false;
  let soon: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const lookNow = () => {
    soon = undefined;
    if (isLooking || hasEnded) return;
    isLooking = true;
    isStale = false;
    void look().finally(() => {
      isLooking = false;
      if (isStale) lookSoon();
    });
  };
  const lookSoon = () => {
    isStale = true;
    if (!isLooking && !hasEnded) soon ??= setTimeout(lookNow, SETTLE_MS);
  };
  const timer = setInterval(lookNow, LOOK_MS);
  const unlisten = listen(lookSoon);
  return () => {
    hasEnded = true;
    clearInterval(timer);
    clearTimeout(soon);
    unlisten();
  };
}
