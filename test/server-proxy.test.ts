import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { openServer } from "./open-server.ts";

interface Reached {
  readonly status: number;
  readonly location: string | undefined;
}

/** Starts a run as a proxy asks for it: `fetch` would not send another `Host`. */
function start(url: string, headers: Readonly<Record<string, string>>): Promise<Reached> {
  return new Promise((resolve, reject) => {
    const all = { authorization: "Bearer bt_operator", "content-type": "application/json", ...headers };
    const sent = request(`${url}/v1/crews/desk/runs`, { method: "POST", headers: all }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location?.replace(/run_.*/, "run") });
    });
    sent.on("error", reject);
    sent.end('{"input":"x"}');
  });
}

const forwarded = { "x-forwarded-host": "crews.example.com", "x-forwarded-proto": "https" };

describe("behind a proxy", () => {
  it("that is not trusted, its headers mean nothing, and Location is a path", async () => {
    const { server } = await openServer();
    const { port } = new URL(server.url);
    expect(await start(server.url, forwarded)).toEqual({ status: 202, location: "/v1/runs/run" });
    expect(await start(server.url, { ...forwarded, origin: "https://crews.example.com" })).toMatchObject({
      status: 403,
    });
    // Whether TLS ends before the server, nobody knows.
    for (const scheme of ["http", "https"])
      expect((await start(server.url, { origin: `${scheme}://127.0.0.1:${port}` })).status).toBe(202);
  });

  it("that is trusted, the name and the scheme are those it was asked for", async () => {
    const { server } = await openServer({ trustsProxy: true, allowedHosts: ["crews.example.com"] });
    const { host } = new URL(server.url);
    const location = "https://crews.example.com/v1/runs/run";
    expect(await start(server.url, forwarded)).toEqual({ status: 202, location });
    expect(await start(server.url, { ...forwarded, host: "10.0.0.7:80" })).toEqual({ status: 202, location });
    const own = { ...forwarded, origin: "https://crews.example.com" };
    expect((await start(server.url, own)).status).toBe(202);
    for (const origin of ["http://crews.example.com", `http://${host}`, "https://evil.example"])
      expect((await start(server.url, { ...own, origin })).status).toBe(403);
    expect((await start(server.url, { ...forwarded, "x-forwarded-host": "evil.example" })).status).toBe(403);
    expect((await start(server.url, { ...forwarded, "x-forwarded-host": "evil.example, 127.0.0.1" })).status).toBe(403);
    expect(await start(server.url, { ...forwarded, "x-forwarded-proto": "gopher" })).toMatchObject({
      location: "/v1/runs/run",
    });
  });

  it("with a public URL, that is what the server calls itself, with its folder", async () => {
    const { server, ask } = await openServer({ publicUrl: "https://example.com/baton" });
    expect(server.url).toBe("https://example.com/baton");
    const url = server.localUrl;
    expect(await start(url, { host: "example.com" })).toEqual({
      status: 202,
      location: "https://example.com/baton/v1/runs/run",
    });
    expect((await start(url, { host: "example.com", origin: "https://example.com" })).status).toBe(202);
    expect((await start(url, { host: "example.org" })).status).toBe(403);
    const document = (await (await ask(new URL("/openapi.json", url).href)).json()) as { readonly servers: unknown };
    expect(document.servers).toEqual([{ url: "https://example.com/baton" }]);
  });
});
