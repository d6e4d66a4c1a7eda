import type { SentFile } from "../read-files.ts";

/** A part of a message, in whichever of OpenAI's formats. */
interface Part {
  readonly type: string;
  readonly text?: string | undefined;
  readonly [key: string]: unknown;
}

/** What a part of a message is: words, a file, or why it is neither. */
export type ReadPart = { readonly text: string } | { readonly file: SentFile } | { readonly problem: string };

/** Reads a part of a message: text, `image_url`, `file` and `input_audio` of chats, `input_image` and `input_file` of responses. */
export function readPart(part: Part): ReadPart {
  const { type, text } = part;
  switch (type) {
    case "image_url": {
      const given = part["image_url"];
      return readAddress(isRecord(given) ? given["url"] : given, "image_url", "image");
    }
    case "input_image":
      return readAddress(part["image_url"], "image_url", "image");
    case "file":
      return readFile(isRecord(part["file"]) ? part["file"] : {});
    case "input_file":
      return readFile(part);
    case "input_audio":
      return readAudio(isRecord(part["input_audio"]) ? part["input_audio"] : {});
    default:
      return text === undefined ? { problem: `parts of type '${type}' are not taken` } : { text };
  }
}

function readFile(given: Readonly<Record<string, unknown>>): ReadPart {
  const { filename, file_data: content, file_url: url } = given;
  const name = typeof filename === "string" ? filename : "file";
  if (typeof url === "string") return readAddress(url, "file_url", name);
  if (typeof content !== "string") return { problem: "a file needs 'file_data': files are not stored here beforehand" };
  return content.startsWith("data:") ? readAddress(content, "file_data", name) : { file: { bytes: content, name } };
}

function readAudio({ data, format }: Readonly<Record<string, unknown>>): ReadPart {
  if (typeof data !== "string") return { problem: "'input_audio' needs 'data'" };
  return { file: { bytes: data, name: typeof format === "string" ? `audio.${format}` : "audio" } };
}

/** A data URL has the content; any other address is fetched from the crew's hosts only. */
function readAddress(address: unknown, key: string, name: string): ReadPart {
  if (typeof address !== "string") return { problem: `'${key}' must be an address` };
  if (!address.startsWith("data:")) return { file: { url: address } };
  const [, type = "", content] = /^data:([^;,]*)(?:;[^;,]*)*;base64,(.*)$/s.exec(address) ?? [];
  if (content === undefined) return { problem: `'${key}' is a data URL that is not in base64` };
  const ending = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(type)?.[1];
  const named = name.includes(".") || ending === undefined ? name : `${name}.${ending}`;
  return { file: { bytes: content, name: named, ...(type !== "" && { mediaType: type }) } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
