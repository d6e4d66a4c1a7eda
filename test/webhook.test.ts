import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type BatonEvent, defineCrew, loadCrew, type Model } from "../src/index.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** Serves a webhook on loopback that answers with these statuses in turn; gives what it was sent. */
async function serve(...statuses: readonly number[]) {
  const posts: { readonly body: string; readonly signature: unknown; readonly path: string | undefined }[] = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    posts.push({ body, signature: request.headers["x-baton-signature"], path: request.url });
    response.writeHead(statuses[posts.length - 1] ?? 200, { location: "/elsewhere" }).end();
  });
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function run(url: string, project = "", more: Readonly<Record<string, string>> = {}) {
  const model: Model = { name: "m", call: () => ({ text: "paid [NOTIFY]", toolCalls: [], finish: "stop" }) };
  const path = writeCrew({
    "baton.yaml": project,
    "crew.yaml": `version: "2.0"
name: x
models: [fake/one]
agents: [a]
routing: { signals: { a: [{ signal: "[NOTIFY]", type: external }] } }
settings: { external: { webhook: "${url}", secret_env: ${project === "" ? "HOOK_WEBHOOK_SECRET" : "HOOK_SIGNING"} } }
`,
    "agents/a.md": "---\ndescription: d\n---\nSay [NOTIFY].\n",
  });
  const variables = { HOOK_WEBHOOK_SECRET: "s3cret", HOOK_SIGNING: "s3cret", ...more };
  const models = { "fake/one": model };
  const crew = await loadCrew(path, { models, env: variables });
  const events: BatonEvent[] = [];
  const result = await crew.run("go", { onEvent: (event) => void events.push(event) });
  const delivered = events.flatMap((event) => (event.type === "external.delivered" ? [event.data] : []));
  return { result, delivered };
}

/** A variable as a file refers to it. */
const ref = (name: string) => `\${${name}}`;

type Verify = (body: string, signature: unknown, secret: string) => { readonly signal: string } | undefined;

/** The verifier that the page on running crews shows. */
async function readVerifier(): Promise<Verify> {
  const page = readFileSync(new URL("../docs/running.md", import.meta.url), "utf8");
  const code = /```js\n(import \{ createHmac[\s\S]*?)```\n/.exec(page)?.[1];
  if (code === undefined) throw new Error("the page shows no verifier");
  expect(code.trim().split("\n").length).toBeLessThanOrEqual(14);
  const { verify } = await import(join(writeCrew({ "verify.mjs": code }), "verify.mjs"));
  return verify;
}

describe("the webhook of external signals", () => {
  it("is posted the signal, signed with the secret, with the time and an id of the delivery", async () => {
    const { posts, url } = await serve();
    const { result, delivered } = await run(url);
    expect(JSON.parse(posts[0]?.body ?? "")).toEqual({
      runId: result.runId,
      signal: "[NOTIFY]",
      agent: "a",
      content: "paid [NOTIFY]",
      deliveryId: expect.stringContaining(`${result.runId}/`),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const hmac = createHmac("sha256", "s3cret")
      .update(posts[0]?.body ?? "")
      .digest("hex");
    expect(posts[0]?.signature).toBe(`sha256=${hmac}`);
    expect(delivered).toEqual([{ signal: "[NOTIFY]", failures: [] }]);
  });

  it("is tried again where that may help, under the same delivery id", async () => {
    const { posts, url } = await serve(503, 429, 200);
    expect((await run(url)).delivered).toEqual([{ signal: "[NOTIFY]", failures: [] }]);
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ body }) => JSON.parse(body).deliveryId)).size).toBe(1);
  });

  it("passes the verifier of the docs once, and only as it was sent, and in time", async () => {
    const verify = await readVerifier();
    const { posts, url } = await serve(503, 200);
    await run(url);
    const [first = { body: "", signature: "" }, retry = first] = posts;
    expect(() => verify(first.body.replace("paid", "owed"), first.signature, "s3cret")).toThrow("signed");
    expect(() => verify(first.body, undefined, "s3cret")).toThrow("signed");
    expect(() => verify(first.body, first.signature, "another")).toThrow("signed");
    expect(verify(first.body, first.signature, "s3cret")).toMatchObject({ signal: "[NOTIFY]" });
    expect(verify(retry.body, retry.signature, "s3cret")).toBeUndefined();
    const old = JSON.stringify({ ...JSON.parse(first.body), deliveryId: "x", timestamp: "2020-01-01T00:00:00.000Z" });
    const signature = `sha256=${createHmac("sha256", "s3cret").update(old).digest("hex")}`;
    expect(() => verify(old, signature, "s3cret")).toThrow("old");
  });

  it("may be signed with a variable that baton.yaml lists", async () => {
    const { posts, url } = await serve();
    await run(url, "webhook_secrets: [HOOK_SIGNING]\n");
    expect(posts).toHaveLength(1);
  });

  it("may have variables in its address, which the environment fills in", async () => {
    const { posts, url } = await serve();
    const address = { DESK_HOOK_URL: url, DESK_WEBHOOK_TOKEN: "t0ken" };
    const { result } = await run(
      `${ref("DESK_HOOK_URL")}/${ref("TEAM:-all")}/${ref("DESK_WEBHOOK_TOKEN")}`,
      "",
      address,
    );
    expect(posts.map(({ path }) => path)).toEqual(["/hook/all/t0ken"]);
    expect(JSON.stringify(result)).not.toContain("t0ken");
  });

  it("with a variable in its address that is not set is an error of the crew, in code when it is run", async () => {
    await expect(run(`https://${ref("DESK_HOST")}/hook`)).rejects.toMatchObject({
      code: "invalid-configuration",
      diagnostics: [{ code: "unset-variable", line: 6, message: expect.stringContaining("DESK_HOST") }],
    });
    const inCode = defineCrew({
      name: "x",
      agents: [{ id: "a", prompt: "Work." }],
      settings: { external: { webhook: `https://${ref("DESK_HOST")}/hook` } },
    });
    await expect(inCode.run("go")).rejects.toMatchObject({
      code: "no-variable",
      message: expect.stringContaining(
        `needs the variable DESK_HOST, which is not set: set it, or give it a default: ${ref("DESK_HOST:-…")}`,
      ),
    });
  });

  it("that sends posts on to another address is not followed there; the run says so and goes on", async () => {
    const { posts, url } = await serve(307);
    const { result, delivered } = await run(url);
    expect(delivered[0]?.failures).toEqual([expect.stringContaining("/elsewhere")]);
    expect(posts.map(({ path }) => path)).toEqual(["/hook"]);
    expect(result.status).toBe("completed");
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

  it("that cannot be reached is told on stderr, with --verbose, and by baton diagnose", () => {
    const cwd = writeCrew({
      "package.json": "{}",
      "crew.yaml": `version: "2.0"
name: desk
agents: [a]
routing: { signals: { a: [{ signal: "[NOTIFY]", type: external }] } }
settings: { external: { webhook: "http://127.0.0.1:1/hook" } }
`,
      "agents/a.md": "---\ndescription: d\n---\nSay [NOTIFY].\n",
      "replies.yaml": 'a: ["Paid. [NOTIFY]"]',
    });
    const baton = (...args: string[]) => runBaton(args, { cwd, home: join(cwd, "home") });
    const told = "external signal [NOTIFY] of agent 'a': the webhook could not be reached: ";
    const ran = baton("run", ".", "go", "--script", "replies.yaml");
    expect(ran).toMatchObject({ exitCode: 0, stdout: "Paid.\n" });
    expect(ran.stderr.split("\n").filter((line) => line.startsWith(told))).toHaveLength(1);
    const verbose = baton("run", ".", "go", "--script", "replies.yaml", "--verbose").stderr;
    expect(verbose).toContain(`[EXTERNAL-ERROR] ${told}`);
    expect(verbose.split(told)).toHaveLength(2);
    const { findings } = JSON.parse(baton("diagnose", "last", "--json").stdout);
    expect(findings).toMatchObject([
      {
        code: "not-delivered",
        agents: ["a"],
        evidence: [{ text: expect.stringContaining("could not be reached") }],
        where: { keys: ["settings", "external", "webhook"] },
      },
    ]);
    expect(baton("diagnose", "last").stdout).toContain("crew.yaml:5");
  });
});
