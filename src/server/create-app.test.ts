import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineRoute, PROTOCOL_MAX_BODY } from "./api-route.ts";
import { createApp } from "./create-app.ts";
import { RateLimits } from "./rate-limits.ts";
import { createRequestLog } from "./request-log.ts";
import type { Service } from "./service.ts";
import { createGuard } from "./source-guard.ts";
import { TokenBook } from "./token-book.ts";

const usual = defineRoute({
  method: "POST",
  path: "/usual",
  scope: "public",
  summary: "Measures a text",
  body: z.strictObject({ text: z.string() }),
  handle: ({ body }) => ({ json: body.text.length }),
});

it("a route's own limit of bodies is higher than that of the server, and bounds what comes without a length, too", async () => {
  const log = createRequestLog({ isLogJson: false, write: () => {} }, (text) => text);
  const app = createApp({
    routes: [usual, { ...usual, path: "/protocol", maxBody: PROTOCOL_MAX_BODY }],
    // These routes act on nothing.
    service: {} as Service,
    guard: createGuard({ host: "127.0.0.1", allowedHosts: [], origins: [], publicUrl: undefined, trustsProxy: false }),
    tokens: new TokenBook([], undefined, log.note),
    limits: new RateLimits(),
    log,
    maxBody: 1000,
    isMetricsPublic: false,
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const statusOf = async (path: string, size: number, isStreamed = false) => {
      const text = JSON.stringify({ text: "x".repeat(size) });
      const body = isStreamed ? new Blob([text]).stream() : text;
      const headers = { "content-type": "application/json" };
      const url = `http://127.0.0.1:${port}${path}`;
      return (await fetch(url, { method: "POST", body, headers, duplex: "half" })).status;
    };
    expect([await statusOf("/usual", 900), await statusOf("/usual", 1100)]).toEqual([200, 413]);
    expect([await statusOf("/protocol", 1100), await statusOf("/protocol", 15_000_000)]).toEqual([200, 200]);
    expect([await statusOf("/usual", 1100, true), await statusOf("/protocol", 15_000_000, true)]).toEqual([413, 200]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
