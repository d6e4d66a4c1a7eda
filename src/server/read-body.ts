import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { Refusal } from "./problem.ts";

/** Deeper bodies are no mistake of a program that we know. */
const MAX_DEPTH = 64;

/**
 * Reads a body of at most `limit` bytes. Web streams would cost as much as the rest of a request, and iterating over the request would
 * close the connection where a body is too large, so that its sender never reads why.
 */
export function readBody(incoming: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const stop = () => {
      incoming.off("data", take);
      incoming.off("end", finish);
      incoming.off("error", fail);
      incoming.off("close", fail);
    };
    const fail = () => {
      stop();
      reject(new Refusal("bad-request", "the body ends too soon"));
    };
    const finish = () => {
      stop();
      resolve(decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts)));
    };
    const take = (part: Buffer) => {
      size += part.byteLength;
      parts.push(part);
      if (size <= limit) return;
      stop();
      reject(new Refusal("body-too-large", `the body has more than ${limit} bytes`));
    };
    incoming.on("data", take).once("end", finish).once("error", fail).once("close", fail);
  });
}

const decoder = new TextDecoder();

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
