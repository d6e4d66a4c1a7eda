import { expect, it } from "vitest";
import { newSchema } from "../../test/postgres-server.ts";
import { openPostgresStore } from "../journal/open-postgres-store.ts";
import { findPostgresPort } from "../journal/postgres-port.ts";
import { run } from "../testing/store-cases/case-tools.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { createLiveText, followLiveText } from "./live-text.ts";

it("text that a worker writes reaches readers in other processes while it is written, however long it is", async () => {
  const { url } = await newSchema();
  const store = await openPostgresStore(url);
  const database = findPostgresPort(store)?.database;
  if (database === undefined) throw new Error("a store in PostgreSQL has a port");
  const seen: string[] = [];
  const stop = followLiveText(database, ({ type, data }) => {
    if (type === "text.delta") seen.push(data.text);
  });
  const live = createLiveText(database);
  const delta = (text: string): BatonEvent => ({
    runId: run,
    ts: 0,
    id: "x",
    path: "0",
    agent: "a",
    type: "text.delta",
    data: { text },
  });
  // It listens as soon as the first one comes.
  await expect
    .poll(() => {
      live.send(delta(""));
      return seen.length;
    })
    .toBeGreaterThan(0);
  seen.length = 0;
  const words = Array.from({ length: 300 }, (_, index) => `${index} "ế"\n`);
  for (const word of words) live.send(delta(word));
  live.send(delta("x".repeat(20_000)));
  await expect.poll(() => seen.join("")).toHaveLength(words.join("").length + 20_000);
  live.stop();
  stop();
  await store.close();
});
