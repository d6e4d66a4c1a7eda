import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { deliverPushes } from "../src/server/a2a/deliver-pushes.ts";
import { bindings, connect, say, send } from "./a2a-client.ts";
import { askingReplies, openServer } from "./open-server.ts";

describe.each(bindings)("the A2A SDK's client, by %s", (binding) => {
  it("is told by push, signed, once the task is asked or ends", async () => {
    const received: { readonly headers: Record<string, unknown>; readonly body: string }[] = [];
    const receiver = createServer((incoming, response) => {
      let body = "";
      incoming.on("data", (part) => {
        body += part;
      });
      incoming.on("end", () => {
        received.push({ headers: incoming.headers, body });
        response.writeHead(received.length === 1 ? 500 : 204).end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/told`;
    const { server, store } = await openServer({ pushAllow: ["127.0.0.1"] });
    const client = await connect(server, { binding });
    const push = { tenant: "", id: "p", taskId: "", url, token: "secret", authentication: undefined };
    const task = await send(client, say("What was it?"), { taskPushNotificationConfig: push });
    const { configs } = await client.listTaskPushNotificationConfig({
      ...{ tenant: "", taskId: task.id },
      pageSize: 0,
      pageToken: "",
    });
    expect(configs).toMatchObject([{ id: "p", url }]);
    const service = { store, crews: server.crews, pushAllow: ["127.0.0.1"] };
    const failures: string[] = [];
    const signal = new AbortController().signal;
    const options = { signal, onFailure: (message: string) => failures.push(message) };
    await deliverPushes(service, options);
    await deliverPushes(service, { ...options, now: () => Date.now() + 3_600_000 });
    await deliverPushes(service, { ...options, now: () => Date.now() + 3_600_000 });
    receiver.close();
    expect(failures).toEqual([expect.stringContaining("answered 500")]);
    expect(received).toHaveLength(2);
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    expect(JSON.parse(body)).toMatchObject({ task: { id: task.id, status: { state: "TASK_STATE_COMPLETED" } } });
    expect(headers).toMatchObject({
      "x-a2a-notification-token": "secret",
      "x-baton-signature": `sha256=${createHmac("sha256", "secret").update(body).digest("hex")}`,
    });
    expect(await store.documents("a2a-push")).toEqual([]);
  });

  it("keeps, shows and forgets whom to tell", async () => {
    const { server } = await openServer({ replies: askingReplies, pushAllow: ["push.example"] });
    const client = await connect(server, { binding });
    const { id: taskId } = await send(client, say("What was it?"));
    const url = "http://push.example/x";
    const config = { tenant: "", id: "", taskId, url, token: "", authentication: undefined };
    const { id } = await client.createTaskPushNotificationConfig(config);
    expect(await client.getTaskPushNotificationConfig({ tenant: "", taskId, id })).toMatchObject({ id, url });
    await client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id });
    await expect(client.getTaskPushNotificationConfig({ tenant: "", taskId, id })).rejects.toThrow();
  });
});

/** Forms of addresses that are not the public internet's, or not over TLS. */
const hosts = [
  ...["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "0.0.0.0", "0", "10.0.0.1"],
  ...["172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.192", "198.18.0.1", "224.0.0.1"],
  ...["240.0.0.1", "255.255.255.255", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[fe80::1]"],
  ...["[fc00::1]", "[fd00:ec2::254]", "[2002:7f00:1::]", "[64:ff9b::7f00:1]", "[ff02::1]", "metadata.internal.invalid"],
  "localhost.",
];

describe("addresses of push notifications", () => {
  it("are public ones over HTTPS, in 120 forms", async () => {
    const { server } = await openServer({ replies: askingReplies });
    const client = await connect(server);
    const { id: taskId } = await send(client, say("What was it?"));
    const forms = hosts.flatMap((host) => [
      ...[`https://${host}/`, `http://${host}/`, `https://${host}:8443/x?y`, `https://user:word@${host}/`],
    ]);
    expect(forms.length).toBeGreaterThanOrEqual(120);
    const others = [
      "file:///etc/passwd",
      "ftp://x.example/",
      "https://",
      "javascript:1",
      "//x.example",
      "",
      "gopher://x",
    ];
    for (const url of [...forms, ...others]) {
      const config = { tenant: "", id: "", taskId, url, token: "", authentication: undefined };
      await expect(client.createTaskPushNotificationConfig(config), url).rejects.toThrow();
    }
  });
});
