import type { z } from "zod";
import { Refusal } from "./problem.ts";

/** Deeper bodies are no mistake of a program that we know. */
const MAX_DEPTH = 64;

/** Reads a body of at most `limit` bytes. */
export async function readBody(body: ReadableStream<Uint8Array> | null, limit: number): Promise<string> {
  if (body === null) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > limit) throw new Refusal("body-too-large", `the body has more than ${limit} bytes`);
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** Parses a body of JSON that is not nested deeply and has no key that changes objects. */
export function parseBody(text: string): unknown {
  if (measureDepth(text) > MAX_DEPTH)
    throw new Refusal("bad-request", `the body is nested more than ${MAX_DEPTH} levels deep`);
  try {
    return JSON.parse(text, refuseHostileKey);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal("bad-request", "the body is not JSON");
  }
}

function refuseHostileKey(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new Refusal("bad-request", "the body has the key '__proto__', which is not allowed");
  return value;
}

/** Measured before it is parsed, by the brackets outside strings. */
function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isText && character === "\\") at++;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return deepest;
}

/** Reads a value by its schema, or refuses it with every field that is wrong. */
export function readWith(schema: z.ZodType | undefined, value: unknown, where: "query" | "body"): unknown {
  if (schema === undefined) return value;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  const [first] = problems;
  const place = first?.path ? `'${first.path}' in the ${where}` : `the ${where}`;
  throw new Refusal("bad-request", `${place}: ${first?.message ?? "does not fit"}`, { extra: { problems } });
}
