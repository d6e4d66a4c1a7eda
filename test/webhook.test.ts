import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type BatonEvent, loadCrew, type Model } from "../src/index.ts";
import { writeCrew } from "./write-crew.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** Serves a webhook on loopback that answers with these statuses in turn; gives what it was sent. */
async function serve(...statuses: readonly number[]) {
  const posts: { readonly body: string; readonly signature: unknown }[] = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    posts.push({ body, signature: request.headers["x-baton-signature"] });
    response.writeHead(statuses[posts.length - 1] ?? 200).end();
  });
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function run(url: string) {
  const model: Model = { name: "m", call: () => ({ text: "paid [NOTIFY]", toolCalls: [], finish: "stop" }) };
  const path = writeCrew({
    "crew.yaml": `version: "2.0"
name: x
models: [fake/one]
agents: [a]
routing: { signals: { a: [{ signal: "[NOTIFY]", type: external }] } }
settings: { external: { webhook: "${url}", secret_env: HOOK_SECRET } }
`,
    "agents/a.md": "---\ndescription: d\n---\nSay [NOTIFY].\n",
  });
  const models = { custom: new Map([["fake/one", model]]), variables: { HOOK_SECRET: "s3cret" } };
  const crew = await loadCrew(path, { root: path, models });
  const events: BatonEvent[] = [];
  const result = await crew.run("go", { onEvent: (event) => void events.push(event) });
  const delivered = events.flatMap((event) => (event.type === "external.delivered" ? [event.data] : []));
  return { result, delivered };
}

describe("the webhook of external signals", () => {
  it("is posted the signal, signed with the secret", async () => {
    const { posts, url } = await serve();
    const { result, delivered } = await run(url);
    expect(JSON.parse(posts[0]?.body ?? "")).toEqual({
      runId: result.runId,
      signal: "[NOTIFY]",
      agent: "a",
      content: "paid [NOTIFY]",
    });
    const hmac = createHmac("sha256", "s3cret")
      .update(posts[0]?.body ?? "")
      .digest("hex");
    expect(posts[0]?.signature).toBe(`sha256=${hmac}`);
    expect(delivered).toEqual([{ signal: "[NOTIFY]", failures: [] }]);
  });

  it("is tried again where that may help", async () => {
    const { posts, url } = await serve(503, 429, 200);
    expect((await run(url)).delivered).toEqual([{ signal: "[NOTIFY]", failures: [] }]);
    expect(posts).toHaveLength(3);
  });

  it("that refuses is not asked twice; the run says so and goes on", async () => {
    const { posts, url } = await serve(403);
    const { result, delivered } = await run(url);
    expect(delivered).toEqual([{ signal: "[NOTIFY]", failures: ["the webhook answered 403"] }]);
    expect(posts).toHaveLength(1);
    expect(result.status).toBe("completed");
  });

  it("that cannot be reached does not stop the run", async () => {
    const { result, delivered } = await run("http://127.0.0.1:1/hook");
    expect(delivered[0]?.failures[0]).toContain("could not be reached");
    expect(result.status).toBe("completed");
  });
});
