import type { z } from "zod";
import { BatonError } from "../../vocabulary/errors.ts";
import type { Call } from "../api-route.ts";
import { joinSayings } from "./chat-format.ts";
import type { responsesSchema } from "./openai-schemas.ts";
import { narrateResponse } from "./read-response.ts";

/** The id of an item of a response, as `responses-format.ts` names them. */
const ITEM = /^(msg|rs)_([A-Za-z0-9-]+_\d{1,9})_\d+$/;

/** Replaces references to items of earlier responses, which some clients send instead of what was said. */
export async function resolveReferences<Body extends { readonly input: string | readonly InputItem[] }>(
  call: Call<unknown, unknown>,
  body: Body,
): Promise<Body> {
  if (typeof body.input === "string" || !body.input.some(isReference)) return body;
  const input: InputItem[] = [];
  for (const item of body.input) {
    const [, kind, response] = isReference(item) ? (ITEM.exec(String(item["id"])) ?? []) : [];
    if (!isReference(item)) input.push(item);
    else if (response === undefined) throw new BatonError("unknown-run", `there is no item '${item["id"]}'`);
    // What agents thought on the way is not part of the thread.
    else if (kind === "msg")
      input.push({ type: "message", role: "assistant", content: await readWords(call, response) });
  }
  return { ...body, input };
}

type InputItem = Exclude<z.output<typeof responsesSchema>["input"], string>[number];

/** Clients that follow OpenAI's types leave the type of a reference out. */
function isReference({ type, role, id }: InputItem): boolean {
  return type === "item_reference" || (type === undefined && role === undefined && typeof id === "string");
}

async function readWords(call: Call<unknown, unknown>, response: string): Promise<string> {
  const { sayings } = await narrateResponse(call, `resp_${response}`);
  return joinSayings(sayings, "words");
}
