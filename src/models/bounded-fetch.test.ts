import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";

const inUse = Symbol.for("undici.globalDispatcher.1");

interface Dispatcher {
  dispatch(options: Readonly<Record<string, unknown>>, handler: unknown): boolean;
}

/** Calls a server that listens only on this machine. */
async function ask<Value>(listener: RequestListener, call: (url: string) => Promise<Value>): Promise<Value> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    // A server that listens on a port has such an address.
    return await call(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("what models are fetched with", () => {
  it("has none of Node's limits of time, so that llm_timeout alone decides", async () => {
    await fetch("data:,");
    const registry = globalThis as { [inUse]?: Dispatcher };
    const own = registry[inUse];
    const asked: Readonly<Record<string, unknown>>[] = [];
    registry[inUse] = {
      dispatch(options, handler) {
        asked.push(options);
        return own?.dispatch(options, handler) ?? false;
      },
    };
    try {
      const text = await ask(
        (_, response) => response.end("here"),
        async (url) => (await boundedFetch(url)).text(),
      );
      expect(text).toBe("here");
    } finally {
      if (own !== undefined) registry[inUse] = own;
    }
    expect(asked).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0 }]);
  });

  it("refuses an answer that does not end, and lets go of the server", async () => {
    let isLeft: Promise<unknown> = Promise.resolve();
    const flood: RequestListener = (_, response) => {
      isLeft = once(response, "close");
      const block = Buffer.alloc(2 ** 20);
      const pour = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on("drain", pour);
      pour();
    };
    await ask(flood, async (url) => {
      const response = await boundedFetch(url);
      await expect(response.arrayBuffer()).rejects.toThrow("the answer has more than 32 MB");
      await isLeft;
    });
  });

  it("lets go of the server when its reader does", async () => {
    let isLeft: Promise<unknown> = Promise.resolve();
    const trickle: RequestListener = (_, response) => {
      isLeft = once(response, "close");
      response.write("a");
    };
    await ask(trickle, async (url) => {
      const response = await boundedFetch(url);
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await isLeft;
    });
  });
});
