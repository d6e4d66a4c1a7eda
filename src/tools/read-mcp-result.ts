import type { CallToolResult } from "@modelcontextprotocol/client";
import type { AttachmentInput } from "../vocabulary/attachment-input.ts";

/** What a server's tool gave: text for the model and, where there are any, files. */
export type McpResult = string | { readonly text: string; readonly attachments: readonly AttachmentInput[] };

/** Reads the result of a server's tool. It throws if the tool reports a failure. */
export function readMcpResult({ content, structuredContent, isError }: CallToolResult): McpResult {
  const parts = content ?? [];
  const texts = parts.flatMap(readText);
  const text =
    parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : texts.join("\n");
  if (isError === true) throw new Error(text === "" ? "the tool failed and did not say why" : text);
  const attachments = parts.flatMap(readFile);
  return attachments.length === 0 ? text : { text, attachments };
}

type Part = CallToolResult["content"][number];

function readText(part: Part): readonly string[] {
  switch (part.type) {
    case "text":
      return [part.text];
    case "resource":
      return "text" in part.resource ? [part.resource.text] : [];
    case "resource_link":
      return [part.uri];
    case "image":
    case "audio":
      return [];
  }
}

/** Bytes are files; what they are is read from them. A link is not followed. */
function readFile(part: Part): readonly AttachmentInput[] {
  if (part.type === "image" || part.type === "audio")
    return [{ bytes: part.data, mediaType: part.mimeType, name: nameByType(part.type, part.mimeType) }];
  if (part.type !== "resource" || "text" in part.resource) return [];
  const { uri, mimeType, blob } = part.resource;
  const name =
    uri
      .replace(/[?#].*$/s, "")
      .split("/")
      .at(-1) ?? "";
  return [
    { bytes: blob, name: name === "" ? "resource" : name, ...(mimeType !== undefined && { mediaType: mimeType }) },
  ];
}

function nameByType(kind: string, mimeType: string): string {
  const ending = /\/([a-z0-9]{2,8})$/.exec(mimeType)?.[1];
  return ending === undefined ? kind : `${kind}.${ending}`;
}
