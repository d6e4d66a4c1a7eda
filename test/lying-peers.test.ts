import { describe, expect, it } from "vitest";
import { openPeer } from "./a2a-peer.ts";
import { openOffice, writeOffice } from "./remote-office.ts";

const token = ', token_env: "DESK_TOKEN"';

describe("a peer that lies", () => {
  const change = (keys: object) => (_: string, result: unknown) => {
    const { task } = result as { readonly task?: object };
    return task === undefined ? { ...(result as object), ...keys } : { task: { ...task, ...keys } };
  };

  it.each([
    [
      "with another task",
      {
        lie: (method: string, result: unknown) =>
          method === "GetTask" ? change({ id: "other" })(method, result) : result,
      },
      /another task/,
    ],
    ["with another context", { lie: change({ contextId: "other" }) }, /another context/],
    ["with no task at all", { lie: () => ({}) }, /desk/],
    ["with a card that leads elsewhere", { interfaceUrl: "http://127.0.0.1:1/rpc" }, /another place/],
  ])("%s is refused with its name", async (_, options, why) => {
    const answer = async () => {
      await new Promise((done) => setImmediate(done));
      return "Five.";
    };
    const peer = await openPeer({ answer, ...options });
    const result = await (await openOffice(writeOffice(peer.card))).run("x");
    expect(result.status).toBe("failed");
    expect(result.error?.message).toMatch(/remote agent 'desk' \(127\.0\.0\.1:\d+\)/);
    expect(result.error?.message).toMatch(why);
  });

  it.each(["100 MB", "a stream without end", "nothing"])("sends %s, and is given up", async (what) => {
    const chunk = "x".repeat(2 ** 20);
    const peer = await openPeer({
      intercept(method, response) {
        if (method === "card") return false;
        response.writeHead(200, { "content-type": "application/json" });
        if (what === "nothing") return true;
        let left = what === "100 MB" ? 100 : Number.POSITIVE_INFINITY;
        const write = () => {
          while (left-- > 0 && !response.destroyed)
            if (!response.write(chunk)) return void response.once("drain", write);
          if (!response.destroyed) response.end();
        };
        write();
        return true;
      },
    });
    const folder = writeOffice(peer.card);
    const crew = await openOffice(folder, {});
    const result = await (what === "nothing" ? crew.run("x", { signal: AbortSignal.timeout(500) }) : crew.run("x"));
    expect(result.status).toBe(what === "nothing" ? "cancelled" : "failed");
    if (what !== "nothing") expect(result.error?.message).toMatch(/desk.*more than 8 MB/);
  });

  it("does not get the token of the crew at another place", async () => {
    const other = await openPeer();
    const peer = await openPeer({ interfaceUrl: other.card.replace("/card", "/rpc") });
    await (await openOffice(writeOffice(peer.card, token))).run("x");
    expect(peer.tokens).toEqual(["Bearer bt_operator"]);
    expect(other.tokens).toEqual([]);
  });
});
