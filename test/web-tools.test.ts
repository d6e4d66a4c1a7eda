import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkCrew } from "../src/index.ts";
import { callTools, crewWith } from "./call-tools.ts";

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("the tool for pages", () => {
  it("gives the text of a page, and follows redirects to hosts that are allowed", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
      else response.setHeader("content-type", "text/html").end("<h1>Hi</h1><script>bad()</script><p>a &amp; b</p>");
    });
    const folder = crewWith("{ web: { builtin: web, allow: [127.0.0.1], private: true } }", ["web__fetch"]);
    const { given } = await callTools(folder, [{ name: "web__fetch", args: { url: `http://127.0.0.1:${port}/old` } }]);
    expect(given).toEqual(["# Hi\n\na & b"]);
  });

  it("reaches no private network, by address, name or redirect", async () => {
    const asked: string[] = [];
    const port = await serve((request, response) => {
      asked.push(request.url ?? "");
      response.end("inner");
    });
    const hosts =
      "[127.0.0.1, localhost, '[::1]', 169.254.169.254, '[::ffff:7f00:1]', 0.0.0.0, '2130706433', 'localhost.']";
    const folder = crewWith(`{ web: { builtin: web, allow: ${hosts} } }`, ["web__fetch"]);
    const urls = [
      ...["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "0x7f.1", "localhost."],
    ].map((host) => `http://${host}:${port}/`);
    const { given } = await callTools(
      folder,
      [...urls, "http://169.254.169.254/latest/meta-data"].map((url) => ({ name: "web__fetch", args: { url } })),
    );
    for (const each of given)
      expect(each).toMatch(/^error: .*(private network|not among the hosts|ENOTFOUND|EAI_AGAIN)/);
    expect(asked).toEqual([]);
  });

  it("does not follow a redirect to a host that is not allowed, nor fetch anything else", async () => {
    const port = await serve((_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end());
    const folder = crewWith("{ web: { builtin: web, allow: [127.0.0.1], private: true } }", ["web__fetch"]);
    const { given } = await callTools(
      folder,
      [
        `http://127.0.0.1:${port}/`,
        "file:///etc/passwd",
        `http://user:pw@127.0.0.1:${port}/`,
        "http://example.org/",
      ].map((url) => ({ name: "web__fetch", args: { url } })),
    );
    expect(given[0]).toContain("'169.254.169.254' is not among the hosts");
    for (const each of given) expect(each).toMatch(/^error: /);
  });

  it("bounds a page", async () => {
    const port = await serve((_, response) => response.end("x".repeat(5000)));
    const folder = crewWith("{ web: { builtin: web, allow: [127.0.0.1], private: true, max_file_kb: 1 } }", [
      "web__fetch",
    ]);
    const { given } = await callTools(folder, [{ name: "web__fetch", args: { url: `http://127.0.0.1:${port}/` } }]);
    expect(given[0]).toContain("more than 1024 bytes");
  });
});

describe("an API of an OpenAPI file", () => {
  const description = `
openapi: 3.0.3
info: { title: crm, version: "1" }
servers: [{ url: "http://127.0.0.1:PORT/v1" }]
paths:
  /orders/{id}:
    parameters: [{ $ref: "#/components/parameters/Id" }]
    get:
      operationId: getOrder
      summary: finds an order
      parameters: [{ name: fields, in: query, schema: { type: array, items: { type: string } } }]
      responses: { "200": { description: ok } }
    delete: { operationId: dropOrder, responses: { "204": { description: gone } } }
  /orders:
    post:
      operationId: addOrder
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
      responses: { "201": { description: made } }
components:
  parameters: { Id: { name: id, in: path, required: true, schema: { type: string } } }
  schemas: { Order: { type: object, properties: { what: { type: string } }, required: [what] } }
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`;

  it("becomes tools with their effects, arguments and token", async () => {
    const seen: string[] = [];
    const port = await serve((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        seen.push(`${request.method} ${request.url} ${request.headers["x-key"]} ${Buffer.concat(parts)}`);
        response.end('{"ok":true}');
      });
    });
    const folder = crewWith(
      "{ crm: { openapi: ./crm.yaml, only: [getOrder, addOrder], auth_env: CRM_TOKEN } }",
      ["crm__*"],
      {
        "crm.yaml": description.replace("PORT", String(port)),
      },
    );
    const { given, events } = await callTools(
      folder,
      [
        { name: "crm__getOrder", args: { id: "a/../b", fields: ["x", "y"] } },
        { name: "crm__addOrder", args: { body: { what: "tea" } } },
        { name: "crm__addOrder", args: { body: { what: 1 } } },
        { name: "crm__getOrder", args: { id: ".." } },
        { name: "crm__dropOrder", args: { id: "1" } },
      ],
      { CRM_TOKEN: "opensesame" },
    );
    expect(seen).toEqual([
      "GET /v1/orders/a%2F..%2Fb?fields=x&fields=y opensesame ",
      'POST /v1/orders opensesame {"what":"tea"}',
    ]);
    expect(given[0]).toBe('{"ok":true}');
    for (const each of given.slice(2)) expect(each).toMatch(/^error: /);
    expect(JSON.stringify(events)).not.toContain("opensesame");
  });

  it("is checked when the crew is loaded", () => {
    const codesOf = (tools: string) =>
      checkCrew(crewWith(tools, [], { "crm.yaml": description })).diagnostics.map(
        ({ code, message }) => `${code} ${message}`,
      );
    expect(codesOf("{ crm: { openapi: ./crm.yaml, only: [getOrdr] } }").join()).toContain("did you mean 'getOrder'?");
    expect(codesOf("{ crm: { openapi: ./gone.yaml } }").join()).toContain("not-found");
    expect(codesOf("{ crm: { openapi: ../crm.yaml } }").join()).toContain("outside-root");
    expect(codesOf("{ crm: { openapi: ./package.json } }").join()).toContain("is not an OpenAPI 3 file");
    expect(codesOf("{ crm: { openapi: ./crm.yaml, write: true } }").join()).toContain("'write' has no effect");
    expect(codesOf("{ crm: {} }").join()).toContain("need either 'builtin'");
    expect(codesOf("{ sh: { builtin: shell } }").join()).toContain("may run nothing");
    expect(codesOf("{ web: { builtin: web } }").join()).toContain("may fetch nothing");
    expect(codesOf("{ files: { builtin: files, root: ./none } }").join()).toContain("does not exist");
  });
});
