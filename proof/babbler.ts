import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Chance, createChance } from "../fuzz/chance.ts";

/** What it reads of a request in OpenAI's chat format. */
interface ChatRequest {
  readonly messages: readonly { readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: Schema } }[];
}

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** A server of a model that nobody scripted: it chains words of what it is told, and calls what it is offered, by chance. */
export async function startBabbler(seed: number): Promise<{ readonly url: string; stop(): void }> {
  const chance = createChance(seed);
  const server = createServer(async (request, response) => {
    // The project's own client asks.
    speak((await json(request)) as ChatRequest, response, chance);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function speak({ messages, tools = [] }: ChatRequest, response: ServerResponse, chance: Chance): void {
  const said = messages.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content ?? "")));
  const words = said.join(" ").split(/(?<=\s)/);
  const text = babble(words, chance);
  const called = chance.percent(40) ? chance.some(tools, 2) : [];
  const toolCalls = called.map(({ function: { name, parameters = {} } }, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(valueFor({ type: "object", ...parameters }, words, chance)) },
  }));
  const event = (choice: object, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "b", object: "chat.completion.chunk", created: 1, model: "babbler", choices: [{ index: 0, ...choice }], ...more })}\n\n`,
    );
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < text.length; ) {
    const next = at + 1 + chance.below(12);
    event({ delta: { role: "assistant", content: text.slice(at, next) }, finish_reason: null });
    at = next;
  }
  for (const call of toolCalls) event({ delta: { tool_calls: [call] }, finish_reason: null });
  const usage = {
    prompt_tokens: words.length,
    completion_tokens: text.length,
    total_tokens: words.length + text.length,
  };
  const cut = chance.percent(5) ? "length" : "stop";
  event({ delta: {}, finish_reason: toolCalls.length > 0 ? "tool_calls" : cut }, { usage });
  response.end("data: [DONE]\n\n");
}

/** Words in the order in which one followed the other somewhere. */
function babble(words: readonly string[], chance: Chance): string {
  let at = chance.below(words.length);
  let text = "";
  for (let left = 3 + chance.below(40); left > 0; left--) {
    const word = words[at] ?? "";
    text += word;
    const again = words.flatMap((other, index) => (other === word ? [index + 1] : []));
    at = chance.percent(20) ? chance.below(words.length) : (chance.anyOf(again) ?? 0);
  }
  // Prompts end in what an agent is to say, more often than not.
  const signals = words.join("").match(/\[[^\]\n]{1,30}\]/g) ?? [];
  return chance.percent(60) ? `${text} ${chance.anyOf(signals) ?? ""}` : text;
}

/** Something of the form that is asked for; now and then not. */
function valueFor(schema: Schema, words: readonly string[], chance: Chance): unknown {
  if (chance.percent(5)) return null;
  if (schema.enum !== undefined) return chance.anyOf(schema.enum);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valueFor(value, words, chance)]),
      );
    case "array":
      return chance.list(chance.below(3), () => valueFor(schema.items ?? {}, words, chance));
    case "boolean":
      return chance.percent(50);
    case "integer":
    case "number":
      return chance.below(100);
    default:
      return babble(words, chance);
  }
}
