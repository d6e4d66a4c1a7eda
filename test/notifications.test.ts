import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { loadCrew, openMemoryStore, openSqliteStore, type Store, script } from "../src/index.ts";
import { deleteRun } from "../src/library/delete-runs.ts";
import { deliverNotices } from "../src/runtime/deliver-notices.ts";
import { writeCrew } from "./write-crew.ts";

interface Received {
  readonly body: { readonly deliveryId: string; readonly [key: string]: unknown };
  readonly text: string;
  readonly signature: string | undefined;
}

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** A receiver that answers with these statuses, the last one for good. */
async function receive(...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const text = await readText(request);
    received.push({ body: JSON.parse(text), text, signature: request.headers["x-baton-signature"]?.toString() });
    response.writeHead(statuses[received.length - 1] ?? statuses.at(-1) ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(server);
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += part;
  return text;
}

async function openProject(notify: string, store: Store, answer = "one") {
  const folder = writeCrew({
    "baton.yaml": `notify:\n  - ${notify}\n`,
    "a.md": "---\nid: a\nmodels: [m/m]\n---\nAnswer.",
  });
  return loadCrew(join(folder, "a.md"), { store, script: script({ a: [answer] }), env: {} });
}

function deliver(store: Store, now = Date.now(), failures: string[] = []) {
  return deliverNotices(store, {
    variables: { DESK_WEBHOOK_SECRET: "s3cret" },
    signal: new AbortController().signal,
    onFailure: (message) => failures.push(message),
    now: () => now,
  });
}

describe("notify in baton.yaml", () => {
  it("posts a signed message when a run ends, once", async () => {
    const { received, url } = await receive(200);
    const store = openMemoryStore();
    const crew = await openProject(`{ url: "${url}", secret_env: DESK_WEBHOOK_SECRET }`, store);
    const { runId } = await crew.run("hello", { user: "anna" });
    await Promise.all([deliver(store), deliver(store)]);
    await deliver(store, Date.now() + 1e9);
    expect(received).toHaveLength(1);
    const [{ body, text, signature } = { body: {}, text: "", signature: "" }] = received;
    expect(body).toMatchObject({ runId, status: "completed", crew: "a", user: "anna", output: "one" });
    expect(signature).toBe(`sha256=${createHmac("sha256", "s3cret").update(text).digest("hex")}`);
    expect(await store.documents("notification")).toEqual([]);
  });

  it("sends a message again until it is taken, under the same id, also from another process", async () => {
    const { received, url } = await receive(503, 503, 200);
    const file = join(writeCrew({}), "journal.sqlite");
    const store = await openSqliteStore(file);
    const crew = await openProject(`{ url: "${url}" }`, store);
    await crew.run("hello");
    const failures: string[] = [];
    await deliver(store, Date.now(), failures);
    await deliver(store, Date.now(), failures);
    await store.close();
    const later = await openSqliteStore(file);
    for (const hours of [2, 4, 6]) await deliver(later, Date.now() + hours * 3_600_000, failures);
    expect(received.map(({ body }) => body.deliveryId)).toEqual(Array(3).fill(received[0]?.body.deliveryId));
    expect(failures).toHaveLength(2);
    expect(failures[0]).toContain("the webhook answered 503; it is sent again later");
    await later.close();
  });

  it("gives a receiver up after three days, and says so", async () => {
    const { url } = await receive(500);
    const store = openMemoryStore();
    await (await openProject(`{ url: "${url}" }`, store)).run("hello");
    const failures: string[] = [];
    await deliver(store, Date.now() + 4 * 24 * 3_600_000, failures);
    expect(failures[0]).toContain("given up");
    expect(await store.documents("notification")).toEqual([]);
  });

  it("tells only of the states and crews that are asked for", async () => {
    const { received, url } = await receive(200);
    const store = openMemoryStore();
    await (await openProject(`{ url: "${url}", on: [failed] }`, store)).run("hello");
    await (await openProject(`{ url: "${url}", crews: [desk] }`, store)).run("hello");
    await deliver(store);
    expect(received).toEqual([]);
  });

  it("never sends unsigned what is to be signed, nor follows a redirect", async () => {
    const { received, url } = await receive(302);
    const store = openMemoryStore();
    await (await openProject(`{ url: "${url}", secret_env: OTHER_WEBHOOK_SECRET }`, store)).run("hello");
    const failures: string[] = [];
    await deliver(store, Date.now(), failures);
    expect([failures[0], received]).toEqual([expect.stringContaining("OTHER_WEBHOOK_SECRET"), []]);
    const other = openMemoryStore();
    await (await openProject(`{ url: "${url}" }`, other)).run("hello");
    await deliver(other, Date.now(), failures);
    expect(failures[1]).toContain("not where it is said to be");
  });

  it("forgets what was to be told of a run that is deleted", async () => {
    const { received, url } = await receive(200);
    const store = openMemoryStore();
    const { runId } = await (await openProject(`{ url: "${url}" }`, store)).run("hello");
    await deleteRun(store, runId);
    await deliver(store);
    expect(received).toEqual([]);
  });
});
