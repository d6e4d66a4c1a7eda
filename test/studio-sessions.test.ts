import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../src/index.ts";
import { json, openServer, tokenLine } from "./open-server.ts";
import { writeCrew } from "./write-crew.ts";

const folder = writeCrew({ "index.html": "<!doctype html>the page", "assets/a-1.js": "export const a = 1;" });
const local = { folder, isLocal: true, canWrite: false };
const shared = { folder, isLocal: false, canWrite: false };
const ours = { "x-baton-studio": "1" };

type Opened = Awaited<ReturnType<typeof openServer>>;

const logIn = ({ ask }: Opened, body: object, headers: Readonly<Record<string, string>> = ours) =>
  ask("/studio/session", { body, headers, token: "" });

/** What the browser sends back of a cookie that it was given. */
function readCookie(response: Response): string {
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

function readCode({ server }: Opened): string {
  return new URL(server.createStudioLink()).hash.replace("#code=", "");
}

describe("a link to the studio", () => {
  it("logs one browser in, once, with a cookie that no script and no other site gets", async () => {
    const opened = await openServer({ studio: local });
    const code = readCode(opened);
    const first = await logIn(opened, { code });
    expect(first.headers.get("set-cookie")).toMatch(
      /^baton_studio_\d+=bt_\S{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    );
    expect((await logIn(opened, { code })).status).toBe(401);
    expect((await logIn(opened, { code: "x" })).status).toBe(401);
    const cookie = readCookie(first);
    expect((await opened.ask("/v1/crews", { token: "", headers: { cookie } })).status).toBe(200);
    expect(await json(await opened.ask("/studio/session", { token: "", headers: { cookie } }))).toEqual({
      ...{ name: "studio", scopes: ["admin"], isLocal: true, canWrite: false },
    });
  });

  it("stays valid when the studio is started again, and ends when its browser logs out", async () => {
    const store = openMemoryStore();
    const opened = await openServer({ studio: local, store });
    const cookie = readCookie(await logIn(opened, { code: readCode(opened) })).replace(/_\d+=/, "_80=");
    const again = await openServer({ studio: local, store });
    const headers = { cookie: cookie.replace("_80=", `_${new URL(again.server.url).port}=`) };
    expect((await again.ask("/v1/runs", { token: "", headers })).status).toBe(200);
    const left = await again.ask("/studio/session", { method: "DELETE", token: "", headers: { ...headers, ...ours } });
    expect([left.status, left.headers.get("set-cookie")]).toEqual([200, expect.stringContaining("Max-Age=0")]);
    expect((await again.ask("/v1/runs", { token: "", headers })).status).toBe(401);
  });

  it("lets nobody in on a server that people share", async () => {
    const opened = await openServer({ studio: shared });
    expect((await logIn(opened, { code: readCode(opened) })).status).toBe(401);
  });
});

describe("a session", () => {
  it("changes something only with the header that other sites cannot send", async () => {
    const opened = await openServer({ studio: local });
    const cookie = readCookie(await logIn(opened, { code: readCode(opened) }));
    const start = (headers: Readonly<Record<string, string>>) =>
      opened.ask("/v1/crews/desk/runs", { body: { input: "x" }, token: "", headers: { cookie, ...headers } });
    expect((await start({})).status).toBe(403);
    expect((await start(ours)).status).toBe(202);
    expect((await logIn(opened, { token: "bt_operator" }, {})).status).toBe(403);
  });

  it("may do what its token may, and ends with it", async () => {
    const tokens = tokenLine("reader", "scopes: [read]");
    const opened = await openServer({ studio: shared, tokens });
    const cookie = readCookie(await logIn(opened, { token: "reader" }));
    const ask = (path: string, body?: unknown) =>
      opened.ask(path, { ...(body !== undefined && { body }), token: "", headers: { cookie, ...ours } });
    expect((await ask("/v1/runs")).status).toBe(200);
    expect((await ask("/v1/crews/desk/runs", { input: "x" })).status).toBe(403);
    const other = await openServer({ studio: shared, store: opened.store });
    const headers = { cookie: cookie.replace(/_\d+=/, `_${new URL(other.server.url).port}=`) };
    expect((await other.ask("/v1/runs", { token: "", headers })).status).toBe(401);
  });
});

describe("the studio's page", () => {
  it("is sent to everybody, with a policy that allows nothing of other origins", async () => {
    const { ask } = await openServer({ studio: local });
    const page = await ask("/studio/runs/run_1?at=3", { token: "" });
    expect([page.status, await page.text()]).toEqual([200, "<!doctype html>the page"]);
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const script = await ask("/studio/assets/a-1.js", { token: "" });
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect([script.headers.get("content-encoding"), script.headers.get("cache-control")]).toEqual([
      ...["gzip", "public, max-age=31536000, immutable"],
    ]);
    const etag = page.headers.get("etag") ?? "";
    expect((await ask("/studio/", { token: "", headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await ask("/studio/assets/b.js", { token: "" })).status).toBe(404);
  });

  it("is not there unless the server was started with it", async () => {
    const { ask } = await openServer();
    for (const path of ["/studio", "/studio/", "/studio/session"]) expect((await ask(path)).status).toBe(404);
    expect(JSON.stringify(await (await ask("/openapi.json")).json())).not.toContain("/studio");
  });
});

it("a local studio continues nothing and begins nothing unasked", async () => {
  const store = openMemoryStore();
  const busy = await openServer({ store, maxRuns: 1, replies: { triage: [{ text: "Money.", latencyMs: 60_000 }] } });
  const start = async () => (await json(await busy.ask("/v1/crews/desk/runs", { body: { input: "x" } }))).runId;
  const [running, queued] = [await start(), await start()];
  await busy.server.stop(0);
  const { server, ask } = await openServer({ studio: local, store, recovers: false });
  expect([server.supervisor.active, server.supervisor.queued]).toEqual([0, 0]);
  const statuses = await Promise.all(
    [running, queued].map(async (id) => (await json(await ask(`/v1/runs/${id}`))).status),
  );
  expect(statuses).toEqual(["running", "queued"]);
});
