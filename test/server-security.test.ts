import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../src/server/api-route.ts";
import { routes as apiRoutes } from "../src/server/routes.ts";
import { studioRoutes } from "../src/server/studio/studio-routes.ts";
import { contentTypes, hosts, origins } from "./hostile-requests.ts";
import { askingReplies, json, startTestServer, tokenLine } from "./open-server.ts";
import { hashOf } from "./photo-crew.ts";
import { requestLines } from "./request-lines.ts";
import { writeCrew } from "./write-crew.ts";

/** A server with the studio has all of these. */
const routes = [...apiRoutes, ...studioRoutes];

/** What a list says that has nothing for the token. */
const nothing = [
  ...[{ crews: [] }, { runs: [] }, { groups: [], runs: 0, isCut: false }, { object: "list", data: [] }],
  { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "Tool desk not found" } },
];

/** Everybody may ask for these. */
const publicRoutes = [
  ...["GET /.well-known/agent-card.json", "GET /a2a/:crew/.well-known/agent-card.json"],
  ...["GET /healthz", "GET /openapi.json", "GET /readyz"],
  ...["DELETE /studio/session", "GET /studio", "GET /studio/:path{.*}", "POST /studio/session"],
];

const keyOf = ({ method, path }: Route) => `${method} ${path}`;
const guarded = routes.filter((route) => !publicRoutes.includes(keyOf(route)));

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Sends a request as it is written, whatever `fetch` thinks of it. */
function send(
  url: string,
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Sent> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers, setHost: !("host" in headers), agent: false } as const;
    const sent = request(options, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    sent.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "EPIPE" || error.code === "ECONNRESET" ? resolve({ status: 413, text: "" }) : reject(error),
    );
    sent.end(body);
  });
}

const tokens =
  tokenLine("expired", "scopes: [admin], expires: 2020-01-01") +
  tokenLine("elsewhere", "scopes: [run, read, answer, act_as], crews: [lab]") +
  tokenLine("nothing", "scopes: []") +
  tokenLine("other", "scopes: [run, read, answer]");

const page = writeCrew({ "index.html": "<!doctype html>the page", "assets/a.js": "1" });

// One server for all: nothing that is refused changes it.
let server: Awaited<ReturnType<typeof startTestServer>>;
let runId = "";
beforeAll(async () => {
  server = await startTestServer({
    tokens,
    replies: askingReplies,
    studio: { folder: page, isLocal: false, canWrite: false },
  });
  const body = { input: "x", conversation: "t1", user: "anna", attachments: [{ bytes: btoa("Notes") }] };
  const headers = { prefer: "wait=30" };
  ({ runId } = await json(await server.ask("/v1/crews/desk/runs", { body, headers })));
});

afterAll(async () => {
  const { status } = await json(await server.ask(`/v1/runs/${runId}`));
  await server.server.stop(0);
  // Of all that was sent, nothing has moved the run.
  expect(status).toBe("paused");
});

/** Sends what the route accepts, with something changed. */
function tryRoute(
  route: Route,
  {
    token = "bt_operator",
    headers = {},
    body,
  }: { token?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Sent> {
  const line = requestLines[keyOf(route)] ?? {};
  const isConversation = route.path.includes("/conversations/");
  const isResponse = route.path.includes("/responses/");
  const path = route.path
    .replace(":crew", "desk")
    .replace(":id", isConversation ? "t1" : isResponse ? `resp_${runId.slice(4)}_0` : runId)
    .replace(":path{.+}", "crew.yaml")
    .replace(":path{.*}", "runs/run_1")
    .replace(":seq{[0-9]+}", "3")
    .replace(":sha256{[0-9a-f]+}", hashOf(Buffer.from("Notes")))
    .replace(":user", "anna")
    .replace(/:task\{\[\\w-\]\+(:?\w*)\}|:task/, (_, action = "") => `${runId}${action}`)
    .replace(":config", "c");
  const given = body ?? (line.body === undefined ? undefined : JSON.stringify(line.body));
  const query = isConversation ? "?user=anna" : (line.query ?? "");
  const all = {
    ...(token !== "" && { authorization: `Bearer ${token}` }),
    ...(given !== undefined && { "content-type": "application/json", "content-length": `${Buffer.byteLength(given)}` }),
    ...line.headers,
    ...headers,
  };
  return send(server.server.url, `${path}${query}`, route.method, all, given);
}

/** The statuses of many attempts, each once. */
async function statusesOf(attempts: readonly Promise<Sent>[]): Promise<number[]> {
  return [...new Set((await Promise.all(attempts)).map(({ status }) => status))].sort();
}

describe("the security table", () => {
  it("has a line for every route, and the list of public routes is complete", () => {
    expect(routes.map(keyOf).filter((key) => requestLines[key] === undefined)).toEqual([]);
    expect(
      routes
        .filter(({ scope }) => scope === "public")
        .map(keyOf)
        .sort(),
    ).toEqual(publicRoutes.toSorted());
  });

  it.each(guarded)("$method $path lets nobody in without a valid token", async (route) => {
    const bad = ["", "wrong", "expired", "bt_operato", "bt_operator, x", "x".repeat(5000)];
    expect(await statusesOf(bad.map((token) => tryRoute(route, { token })))).toEqual([401]);
    const basic = { authorization: `Basic ${Buffer.from("operator:bt_operator").toString("base64")}` };
    expect((await tryRoute(route, { token: "", headers: basic })).status).toBe(401);
    expect((await tryRoute(route, { token: "nothing" })).status).toBe(403);
  });

  it.each(guarded)("$method $path tells a token of another crew nothing", async (route) => {
    const { status, text } = await tryRoute(route, { token: "elsewhere" });
    expect([200, 400, 403, 404]).toContain(status);
    expect(text).not.toMatch(/triage|billing|Money|Which/);
    // The id of a new conversation says nothing.
    const saysNothing = route.path === "/studio/session" || text.includes('"conversation"');
    if (status === 200 && !saysNothing) expect(nothing).toContainEqual(JSON.parse(text));
  });

  it.each(guarded.filter(({ path }) => path.includes("/conversations/") || path.includes("/users/")))(
    "$method $path is for a token's own conversations",
    async (route) => {
      expect((await tryRoute(route, { token: "other" })).status).toBe(403);
    },
  );

  it.each(routes)("$method $path answers to its own name only", async (route) => {
    expect(hosts).toHaveLength(20);
    const statuses = await statusesOf(hosts.map((host) => tryRoute(route, { headers: { host: toLatin(host) } })));
    expect(statuses.filter((status) => status !== 403 && status !== 400)).toEqual([]);
  });

  it.each(routes)("$method $path answers no page of another origin", async (route) => {
    expect(origins).toHaveLength(20);
    expect(await statusesOf(origins.map((origin) => tryRoute(route, { headers: { origin } })))).toEqual([403]);
  });

  it.each(guarded.filter(({ body }) => body !== undefined))("$method $path takes JSON only", async (route) => {
    expect(contentTypes).toHaveLength(8);
    const types = contentTypes.filter((type) => !(route.takesFiles && type.startsWith("multipart/")));
    const attempts = types.map((type) => tryRoute(route, { headers: { "content-type": type } }));
    expect(await statusesOf(attempts)).toEqual([415]);
  });

  it.each(guarded.filter(({ body }) => body !== undefined))(
    "$method $path takes no body that does harm",
    async (route) => {
      const large = JSON.stringify({ input: "x".repeat((route.maxBody ?? 1_048_576) + 50_000) });
      expect((await tryRoute(route, { body: large })).status).toBe(413);
      const malformed = [
        ...["{", "[]", "7", '"x"', "null", '{"input":"x"', "{'input':'x'}", `${"[".repeat(100_000)}`],
        ...[`{"input":"x","a":${"[".repeat(200)}${"]".repeat(200)}}`, '{"__proto__":{"admin":true},"input":"x"}'],
        ...['{"input":"x","variables":{"__proto__":"x"}}', '{"constructor":{"prototype":{}}}', '{"unknown":1}', "\0"],
      ];
      expect(await statusesOf(malformed.map((body) => tryRoute(route, { body })))).toEqual([400]);
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("admin");
    },
  );
});

describe("paths that try to leave their place", () => {
  const steps = ["..", "%2e%2e", "..%2f", "%2e%2e%2f", "..%5c", "%252e%252e", "..%00", "%c0%ae%c0%ae", "....", "..;"];
  const targets = ["etc/passwd", "crew.yaml", "agents/triage.md", ".baton/journal.sqlite", "tokens.yaml"];
  const forms = steps.flatMap((step) =>
    targets.flatMap((target) => [
      ...[`${step}/${target}`, `${step}${encodeURIComponent(`/${target}`)}`, `${step}/${step}/${target}`],
      `${encodeURIComponent(`${step}/${target}`)}`,
    ]),
  );

  it("reach nothing, in 200 forms", async () => {
    expect(forms).toHaveLength(200);
    const headers = { authorization: "Bearer bt_operator" };
    for (const prefix of ["/v1/runs/", "/v1/crews/", "/v1/conversations/"]) {
      const sent = await Promise.all(forms.map((form) => send(server.server.url, prefix + form, "GET", headers)));
      expect([...new Set(sent.map(({ status }) => status))].filter((status) => status < 400 || status >= 500)).toEqual(
        [],
      );
      expect(sent.filter(({ text }) => text.includes("openai/x") || text.includes("sha256"))).toEqual([]);
    }
  });

  it("lead to the studio's page or to nothing", async () => {
    for (const form of forms) {
      const { status, text } = await send(server.server.url, `/studio/${form}`, "GET", {});
      expect(status === 200 ? text : "").toMatch(/^(?:<!doctype html>the page)?$/);
    }
  });
});

/** Headers are bytes: letters that only look like others arrive as what they are. */
function toLatin(text: string): string {
  return Buffer.from(text).toString("latin1");
}
