import { z } from "zod";
import { listAttachments } from "../../views/list-attachments.ts";
import { isTextType } from "../../vocabulary/attachment.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import { defineRoute, type Route } from "../api-route.ts";
import { readVisibleRun } from "../visible.ts";

const listed = z
  .strictObject({ name: z.string(), mediaType: z.string(), bytes: z.int(), sha256: z.string() })
  .meta({ id: "StoredAttachment" });

/** Types that browsers show without running anything. */
const shown: ReadonlySet<string> = new Set([
  ...["image/png", "image/jpeg", "image/gif", "image/webp"],
  ...["audio/wav", "audio/mpeg", "audio/ogg", "audio/flac", "audio/aac", "audio/mp4"],
]);

/** The files of runs. */
export const attachmentRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/attachments",
    scope: "read",
    summary: "The files that came with the run's input, with answers to it and with results of tools",
    result: z.strictObject({ attachments: z.array(listed) }),
    handle: async (call) => ({ json: { attachments: listAttachments((await readVisibleRun(call)).events) } }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/attachments/:sha256{[0-9a-f]+}",
    scope: "read",
    summary: "The content of a file of the run. Images and audio are shown by browsers; everything else is a download",
    produces: ["application/octet-stream"],
    async handle(call) {
      const { runId, events } = await readVisibleRun(call);
      const { sha256 = "" } = call.params;
      const attachment = listAttachments(events).find((each) => each.sha256 === sha256);
      const bytes = attachment && (await call.service.store.readBlob(sha256));
      if (attachment === undefined || bytes === undefined)
        throw new BatonError("unknown-attachment", `run '${runId}' has no file ${sha256}`);
      const { name, mediaType } = attachment;
      return {
        text: new Uint8Array(bytes),
        type: describeType(mediaType),
        headers: createFileHeaders(name, shown.has(mediaType)),
      };
    },
  }),
];

/** What a browser would run, or guess at, is bytes for it. */
function describeType(mediaType: string): string {
  if (shown.has(mediaType) || mediaType === "application/pdf") return mediaType;
  return isTextType(mediaType) ? "text/plain; charset=utf-8" : "application/octet-stream";
}

/** The name in both forms of RFC 6266, and nothing that the content could do where it is opened. */
function createFileHeaders(name: string, isShown: boolean): Readonly<Record<string, string>> {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const how = isShown ? "inline" : "attachment";
  return {
    "Content-Disposition": `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}
