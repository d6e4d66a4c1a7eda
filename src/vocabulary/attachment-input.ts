/** A file that comes with an input or a tool's result: where it is, or its bytes. */
export interface AttachmentInput {
  /** A file on this machine; a relative path begins at the working directory. */
  readonly path?: string | undefined;
  /** An address on the public internet, from which it is fetched now. */
  readonly url?: string | undefined;
  /** The bytes, or their text in base64. */
  readonly bytes?: Uint8Array | ArrayBuffer | Blob | string | undefined;
  /** Which kind of text it is, such as `text/csv`. All other types are read from the content. */
  readonly mediaType?: string | undefined;
  /** The name that agents see; the last part of the path or address when absent. */
  readonly name?: string | undefined;
}

const sources = ["path", "url", "bytes"] as const;
const texts = ["path", "url", "mediaType", "name"] as const;

/** What is wrong with a value that should say where a file is; undefined if it does. */
export function findAttachmentProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return "is not an object such as { path }, { url } or { bytes, name }";
  const unknown = Object.keys(value).find((key) => key !== "bytes" && !texts.some((each) => each === key));
  if (unknown !== undefined) return `has no '${unknown}'; there are path, url, bytes, mediaType, name`;
  const given = sources.filter((key) => value[key] !== undefined);
  if (given.length !== 1)
    return given.length === 0 ? "needs one of path, url, bytes" : `has ${given.join(" and ")}: give one of them`;
  const wrong = texts.find((key) => value[key] !== undefined && typeof value[key] !== "string");
  if (wrong !== undefined) return `has a '${wrong}' that is not text`;
  const { bytes } = value;
  const isContent =
    bytes === undefined ||
    typeof bytes === "string" ||
    bytes instanceof Uint8Array ||
    bytes instanceof ArrayBuffer ||
    bytes instanceof Blob;
  return isContent ? undefined : "has 'bytes' that are not a Uint8Array, an ArrayBuffer, a Blob or text in base64";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
