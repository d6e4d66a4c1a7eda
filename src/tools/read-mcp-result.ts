import type { CallToolResult } from "@modelcontextprotocol/client";

/** Reads the result of a server's tool as text for the model. It throws if the tool reports a failure. */
export function readMcpResult({ content, structuredContent, isError }: CallToolResult): string {
  const parts = (content ?? []).map(readText);
  const text =
    parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join("\n");
  if (isError === true) throw new Error(text === "" ? "the tool failed and did not say why" : text);
  return text;
}

function readText(part: CallToolResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `[${part.type} of type ${part.mimeType}, left out]`;
    case "resource":
      return "text" in part.resource ? part.resource.text : `[${part.resource.uri}, left out]`;
    case "resource_link":
      return part.uri;
  }
}
