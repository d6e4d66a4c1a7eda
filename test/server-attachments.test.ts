import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { createClient } from "../src/client/client.ts";
import type { Attachment, BatonEvent } from "../src/index.ts";
import { askingReplies, json, openServer } from "./open-server.ts";
import { hashOf, log, photo, png } from "./photo-crew.ts";
import { samplePdf } from "./sample-files.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const stored = { name: "photo.png", mediaType: "image/png", bytes: png.byteLength, sha256: hashOf(png) };
const runs = "/v1/crews/desk/runs";
const wait = { prefer: "wait=30" };
type Opened = Awaited<ReturnType<typeof openServer>>;

describe("files over HTTP", () => {
  it("come as base64 in JSON, and are listed and read", async () => {
    const server = await openServer();
    const attachments = [{ bytes: base64(png), name: "photo.png" }];
    const { runId, status } = await json(await server.ask(runs, { body: { input: "x", attachments }, headers: wait }));
    expect(status).toBe("completed");
    expect(await json(await server.ask(`/v1/runs/${runId}/attachments`))).toEqual({ attachments: [stored] });
    const read = await server.ask(`/v1/runs/${runId}/attachments/${stored.sha256}`);
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(new Uint8Array(png));
    expect(Object.fromEntries(read.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-disposition": `inline; filename="photo.png"; filename*=UTF-8''photo.png`,
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  it("come as parts of a form, which is read as it comes", async () => {
    const server = await openServer();
    const form = new FormData();
    form.append("input", "Größe?");
    form.append("variables", JSON.stringify({ city: "Hue" }));
    form.append("file", new Blob([png as never], { type: "text/html" }), 'a "b" é.png');
    form.append("file", new Blob([Buffer.alloc(3_000_000, "x")]), "large.txt");
    const started = await sendForm(server, form);
    expect(started).toMatchObject({ status: "completed" });
    expect(await listOf(server, started.runId)).toMatchObject([
      { name: "a _b_ é.png", mediaType: "image/png" },
      { name: "large.txt", mediaType: "text/plain", bytes: 3_000_000 },
    ]);
  });

  it.each([
    ["a path", { path: "/etc/passwd" }, 400, "bad-request"],
    ["neither bytes nor an address", { name: "x" }, 400, "bad-request"],
    ["an address of nobody's list", { url: "https://example.org/x.png" }, 400, "bad-attachment"],
    ["an address of this machine", { url: "http://127.0.0.1:1/x" }, 400, "bad-attachment"],
    ["a file", { url: "file:///etc/passwd" }, 400, "bad-attachment"],
    ["other text", { bytes: "!!" }, 400, "bad-request"],
    ["nothing", { bytes: "" }, 400, "bad-attachment"],
  ])("are refused as %s", async (_, attachment, status, code) => {
    const server = await openServer();
    const refused = await server.ask(runs, { body: { input: "x", attachments: [attachment] } });
    expect(refused.status).toBe(status);
    expect(await json(refused)).toMatchObject({ code });
  });

  it("are fetched from the hosts of the crew's web tools, and held to its limits", async () => {
    const web = createServer((_, response) => response.end(Buffer.from(png)));
    await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
    const { port } = web.address() as AddressInfo;
    const files = {
      "baton.yaml": "",
      "crew.yaml": `version: "2.0"\nname: desk\nagents: [a]\nsettings: { max_attachment_mb: 0.001 }
tools: { web: { builtin: web, allow: [127.0.0.1], private: true } }\n`,
      "agents/a.md": "---\nid: a\nmodels: [openai/x]\ntools: [web__fetch]\n---\nLook.",
    };
    const server = await openServer({ files, replies: { a: ["Seen."] } });
    const attachments = [{ url: `http://127.0.0.1:${port}/pics/photo.png?key=1` }];
    const { runId } = await json(await server.ask(runs, { body: { input: "x", attachments }, headers: wait }));
    expect(await json(await server.ask(`/v1/runs/${runId}/attachments`))).toEqual({ attachments: [stored] });
    const form = new FormData();
    form.append("input", "x");
    form.append("file", new Blob([Buffer.alloc(5000)]), "large.bin");
    expect(await sendForm(server, form)).toMatchObject({ status: 413, code: "body-too-large" });
    web.close();
  });

  it.each([
    ["without an end", "--b\r\n", "ends before its last boundary"],
    ["without names", "--b\r\nX: y\r\n\r\nx\r\n--b--", "has no name"],
    ["with a field behind a file", part("file", "a.txt", "x") + part("input", undefined, "x"), "fields come first"],
    ["with two fields", part("input", undefined, "x") + part("input", undefined, "y"), "two fields 'input'"],
    ["with an unknown field", part("path", undefined, "/etc/passwd"), "path"],
  ])("are refused in a form %s", async (_, body, message) => {
    const server = await openServer();
    const refused = await fetch(new URL(runs, server.server.url), {
      method: "POST",
      headers: { authorization: "Bearer bt_operator", "content-type": "multipart/form-data; boundary=b" },
      body: body.endsWith("--") || message.startsWith("ends") ? body : `${body}--b--\r\n`,
    });
    expect(refused.status).toBe(400);
    expect(await json(refused)).toMatchObject({ detail: expect.stringContaining(message) });
  });

  it("are downloads where a browser could run them, and nobody else's are found", async () => {
    const server = await openServer();
    const page = { bytes: base64(Buffer.from("<script>x()</script>")), name: 'a";\r\nx.html' };
    const body = { input: "x", attachments: [page, { bytes: base64(samplePdf), name: "é.pdf" }] };
    const { runId } = await json(await server.ask(runs, { body, headers: wait }));
    const attachments = await listOf(server, runId);
    const heads = await Promise.all(
      attachments.map(async ({ sha256 }) => {
        const { headers } = await server.ask(`/v1/runs/${runId}/attachments/${sha256}`);
        return [headers.get("content-type"), headers.get("content-disposition")];
      }),
    );
    expect(heads).toEqual([
      ["text/plain; charset=utf-8", `attachment; filename="a__x.html"; filename*=UTF-8''a__x.html`],
      ["application/pdf", `attachment; filename="_.pdf"; filename*=UTF-8''%C3%A9.pdf`],
    ]);
    const other = await json(await server.ask(runs, { body: { input: "y" }, headers: wait }));
    const absent = await server.ask(`/v1/runs/${other.runId}/attachments/${attachments[0]?.sha256}`);
    expect([absent.status, (await json(absent)).code]).toEqual([404, "unknown-attachment"]);
  });

  it("come with an answer", async () => {
    const server = await openServer({ replies: askingReplies });
    const { runId } = await json(await server.ask(runs, { body: { input: "x" }, headers: wait }));
    const body = { input: "This", attachments: [{ bytes: base64(png), name: "photo.png" }] };
    expect((await server.ask(`/v1/runs/${runId}/resume`, { body })).status).toBe(202);
    await expect.poll(async () => json(await server.ask(`/v1/runs/${runId}`))).toMatchObject({ status: "completed" });
    expect(await json(await server.ask(`/v1/runs/${runId}/attachments`))).toEqual({ attachments: [stored] });
  });
});

describe("files of the client", () => {
  it("are sent as a form, listed and read", async () => {
    const { server } = await openServer();
    const crew = createClient({ url: server.url, token: "bt_operator" }).crew("desk");
    const result = await crew.run({ text: "What is it?", attachments: [photo, { ...log, mediaType: "text/csv" }] });
    expect(result.status).toBe("completed");
    const files = await crew.listAttachments(result.runId);
    expect(files.map(({ name, mediaType }) => `${name} ${mediaType}`)).toEqual([
      "photo.png image/png",
      "log.txt text/csv",
    ]);
    expect(await crew.readAttachment(result.runId, stored.sha256)).toEqual(new Uint8Array(png));
    const path = { path: "/etc/passwd" } as never;
    expect(() => crew.start({ text: "x", attachments: [path] })).toThrow("a path is one of the server's machine");
  });
});

describe("files of OpenAI's formats", () => {
  const url = `data:image/png;base64,${base64(png)}`;

  it("are parts of chat messages, whoever keeps the thread", async () => {
    const opened = await openServer();
    const openai = new OpenAI({ apiKey: "bt_operator", baseURL: `${opened.server.url}/openai/v1` });
    const file = { filename: "plan.pdf", file_data: `data:application/pdf;base64,${base64(samplePdf)}` };
    await openai.chat.completions.create({
      model: "desk",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image_url", image_url: { url } },
          ],
        },
        { role: "assistant", content: "Where?" },
        {
          role: "user",
          content: [
            { type: "text", text: "There" },
            { type: "file", file },
          ],
        },
      ],
    });
    expect(await namesOf(opened)).toEqual(["image.png image/png", "plan.pdf application/pdf"]);
  });

  it("are parts of a response's input", async () => {
    const opened = await openServer();
    const openai = new OpenAI({ apiKey: "bt_operator", baseURL: `${opened.server.url}/openai/v1` });
    await openai.responses.create({
      model: "desk",
      input: [
        {
          role: "user",
          content: [
            { type: "input_image", image_url: url, detail: "auto" },
            { type: "input_file", filename: "log.txt", file_data: base64(log.bytes) },
          ],
        },
      ],
    });
    expect(await namesOf(opened)).toEqual(["image.png image/png", "log.txt text/plain"]);
  });

  it("are not fetched from anywhere", async () => {
    const opened = await openServer();
    const content = [{ type: "image_url", image_url: { url: "http://169.254.169.254/latest/meta-data" } }];
    const body = { model: "desk", messages: [{ role: "user", content }] };
    expect((await opened.ask("/openai/v1/chat/completions", { body })).status).toBe(400);
  });
});

async function listOf(server: Opened, runId: string): Promise<readonly Attachment[]> {
  const answer = await server.ask(`/v1/runs/${runId}/attachments`);
  return ((await answer.json()) as { readonly attachments: readonly Attachment[] }).attachments;
}

async function namesOf({ store }: Opened): Promise<readonly string[]> {
  const [run] = await store.list();
  const [started] = run === undefined ? [] : await store.read(run.runId);
  const { attachments = [] } = (started as Extract<BatonEvent, { type: "run.started" }>).data;
  return attachments.map(({ name, mediaType }) => `${name} ${mediaType}`);
}

function part(name: string, filename: string | undefined, content: string): string {
  const file = filename === undefined ? "" : `; filename="${filename}"`;
  return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
}

async function sendForm({ server }: Opened, body: FormData) {
  const headers = { authorization: "Bearer bt_operator", ...wait };
  return json(await fetch(new URL(runs, server.url), { method: "POST", headers, body }));
}
