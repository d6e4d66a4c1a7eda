import type { Call, Reply } from "./api-route.ts";

const LOOK_MS = 1000;

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
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    list()
      .then(send, () => stream.end())
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS);
  stream.onClose(() => clearInterval(timer));
  return "streamed";
}
