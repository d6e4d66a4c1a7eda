import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AttachmentInput } from "../src/index.ts";
import { attachmentsOf, desk, hashOf, log, openPhotoCrew, photo, playFiles, png, refer } from "./photo-crew.ts";
import { makePng, samplePdf, sampleWav, sampleZip } from "./sample-files.ts";

describe("an attachment", () => {
  it("is a reference in the input and in run.started, and bytes for the model", async () => {
    const { asked, events, result } = await playFiles({ text: "What is it?", attachments: [photo] });
    expect(result.status).toBe("completed");
    const last = `What is it?\n\n${refer(photo, "image/png", png)}`;
    expect(asked).toEqual([{ agent: "desk", model: "acme/eyes", last, files: ["photo.png"] }]);
    const attachment = { name: "photo.png", mediaType: "image/png", bytes: png.byteLength, sha256: hashOf(png) };
    expect(events[0]?.data).toMatchObject({ input: "What is it?", attachments: [attachment] });
    const called = events.find(({ type }) => type === "model.called");
    expect(called?.data).toMatchObject({ attachments: [hashOf(png)] });
  });

  it("comes from a path, an ArrayBuffer, a Blob or base64, and needs no words", async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-files-"));
    writeFileSync(join(folder, "a.png"), png);
    const given: readonly AttachmentInput[] = [
      { path: join(folder, "a.png") },
      { bytes: Uint8Array.from(samplePdf).buffer, name: "b.pdf" },
      { bytes: new Blob([sampleWav as never]), name: "c.wav" },
      { bytes: Buffer.from("text").toString("base64"), name: "d.txt" },
    ];
    const { events } = await playFiles({ text: "", attachments: given });
    const types = attachmentsOf(events).map(({ name, mediaType }) => `${name} ${mediaType}`);
    expect(types).toEqual(["a.png image/png", "b.pdf application/pdf", "c.wav audio/wav", "d.txt text/plain"]);
  });

  it("is text in a frame, without secrets and cut in the middle, if it is text", async () => {
    const key = `AWS_SECRET_ACCESS_KEY=${"wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"}`;
    const bytes = Buffer.from(`${key}\n${"x".repeat(500)}`);
    const settings = { max_attachment_chars: 100 };
    const { asked } = await playFiles({ text: "Read", attachments: [{ bytes, name: "env.txt" }] }, { settings });
    const [content = ""] = asked[0]?.files ?? [];
    expect(content).toMatch(/^<attachment_([0-9a-f]{12}) name="env.txt">\n[\s\S]*\n<\/attachment_\1>$/);
    expect(content).toContain("[REDACTED:");
    expect(content).not.toContain("wJalrX");
    expect(content).toContain("characters in all");
  });

  it("is what its content shows, whatever its name and sender say", async () => {
    const lies: readonly AttachmentInput[] = [
      { bytes: png, name: "notes.txt", mediaType: "text/plain" },
      { bytes: Buffer.from("#!/bin/sh"), name: "photo.png", mediaType: "image/png" },
      { bytes: sampleZip, name: "plan.pdf", mediaType: "application/pdf" },
      { bytes: Buffer.from("<svg onload='x()'/>"), name: "a.svg", mediaType: "image/svg+xml" },
      { bytes: Buffer.from([0xff, 0xfe, 0x68, 0, 0x69, 0]), name: "windows.log" },
    ];
    const agents = [{ ...desk, attachments: "none" as const }];
    const { events } = await playFiles({ text: "Go", attachments: lies }, { agents });
    expect(attachmentsOf(events).map(({ mediaType }) => mediaType)).toEqual([
      ...["image/png", "text/plain", "application/zip", "text/xml", "text/plain"],
    ]);
  });

  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\me\\.ssh\\id_rsa", "id_rsa"],
    ["..", "file"],
    [".env", "env"],
    ["a]\n[attachment: x.png", "a__attachment_ x.png"],
    ['"; filename="evil.html', "__ filename=_evil.html"],
    ["\u202Egnp.exe", "gnp.exe"],
    ["con.txt", "_con.txt"],
    ["x".repeat(300), "x".repeat(120)],
    ["", "file"],
  ])("has a name and never a path: %j", async (name, expected) => {
    const { events } = await playFiles({ text: "Go", attachments: [{ bytes: png, name }] });
    expect(attachmentsOf(events).map((each) => each.name)).toEqual([expected]);
  });
});

describe("what is refused", () => {
  it.each<[string, AttachmentInput, string, string]>([
    ["a missing file", { path: "/nowhere/x.png" }, "bad-attachment", "there is no such file"],
    ["a folder", { path: "/tmp" }, "bad-attachment", "is not a file"],
    ["a device", { path: "/dev/zero" }, "bad-attachment", "is not a file"],
    ["nothing", { bytes: new Uint8Array(), name: "a" }, "bad-attachment", "'a' is empty"],
    ["other text", { bytes: "§§§", name: "a" }, "bad-attachment", "not in base64"],
    ["two sources", { path: "a", url: "https://b" }, "bad-attachment", "has path and url"],
    ["an address of this machine", { url: "http://127.0.0.1/x" }, "bad-attachment", "private network"],
    ["an address of a cloud", { url: "http://169.254.169.254/latest" }, "bad-attachment", "private network"],
    ["a file address", { url: "file:///etc/passwd" }, "bad-attachment", "not an address"],
    ["a huge image", { bytes: makePng(60_000, 60_000), name: "bomb.png" }, "attachment-too-large", "60000 × 60000"],
  ])("%s", async (_, attachment, code, message) => {
    const { crew } = openPhotoCrew();
    const refusal = await crew.run({ text: "Go", attachments: [attachment] }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it("more than the crew takes, of one file and of all", async () => {
    const settings = { max_attachment_mb: 0.001, max_run_attachments_mb: 0.00147 };
    const { crew } = openPhotoCrew({ settings });
    const file = (bytes: number, name: string) => ({ bytes: new Uint8Array(bytes).fill(name.length + 64), name });
    const one = await crew.run({ text: "Go", attachments: [file(2048, "a")] }).catch((error: unknown) => error);
    expect(one).toMatchObject({
      code: "attachment-too-large",
      message: "'a' has 2 KB, and at most 1.1 KB are taken, see 'max_attachment_mb'",
    });
    const all = await crew
      .run({ text: "Go", attachments: [file(1000, "a"), file(1000, "bb")] })
      .catch((error: unknown) => error);
    expect(all).toMatchObject({
      code: "attachment-too-large",
      message: expect.stringContaining("max_run_attachments_mb"),
    });
    const twice = await crew.run({ text: "Go", attachments: [file(1000, "a"), { ...file(1000, "a"), name: "b" }] });
    expect(twice.status).toBe("completed");
  });
});

describe("a model that cannot take a file", () => {
  it("is passed over for one of its chain that can, on record", async () => {
    const models = ["deepseek/deepseek-chat", "openai/gpt-5"];
    const { asked, events } = await playFiles({ text: "Look", attachments: [photo] }, { models });
    expect(asked.map(({ model }) => model)).toEqual(["openai/gpt-5"]);
    const called = events.find(({ type }) => type === "model.called");
    expect(called?.data).toMatchObject({ model: "openai/gpt-5", passedOver: ["deepseek/deepseek-chat"] });
  });

  it("is never called where nobody can: the failure names the agent, the file and who could", async () => {
    const models = ["deepseek/deepseek-chat"];
    const { asked, result } = await playFiles({ text: "Look", attachments: [photo, log] }, { models });
    expect(asked).toEqual([]);
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "attachment_not_taken",
        message:
          "no model of agent 'desk' (deepseek/deepseek-chat) takes all files that the agent is given: 'photo.png' (image/png): none of them takes it; openai/gpt-5, anthropic/claude-sonnet-4-5, google/gemini-2.5-flash would",
      },
    });
  });

  it("is told which model of the chain takes which file, where none takes all", async () => {
    const models = ["openai/gpt-4o-audio-preview", "openai/gpt-4o"];
    const { result } = await playFiles(
      { text: "Go", attachments: [photo, { bytes: sampleWav, name: "a.wav" }] },
      { models },
    );
    expect(result.error?.message).toContain("'photo.png' (image/png): only openai/gpt-4o takes it");
    expect(result.error?.message).toContain("'a.wav' (audio/wav): only openai/gpt-4o-audio-preview takes it");
  });

  it("takes text, as every model does", async () => {
    const { asked } = await playFiles({ text: "Go", attachments: [log] }, { models: ["deepseek/deepseek-chat"] });
    expect(asked[0]?.files[0]).toContain("disk full");
  });
});
