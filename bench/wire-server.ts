import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A server that speaks OpenAI's chat format and does nothing else, in a process of its own, so that its CPU is not counted. What it
 * answers is in the name of the model: `<deltas>x<characters>`, at once, or with `@<characters per second>`.
 */
export function answerOf(model: string): {
  readonly deltas: number;
  readonly characters: number;
  readonly rate: number;
} {
  const [, deltas = "1", characters = "4", rate = "0"] = /^(\d+)x(\d+)(?:@(\d+))?$/.exec(model) ?? [];
  return { deltas: Number(deltas), characters: Number(characters), rate: Number(rate) };
}

/** The text of every delta: words, so that whoever reads for signals or secrets has something to read. */
function deltaText(characters: number): string {
  return "the moon pulls at the sea and lets go ".repeat(Math.ceil(characters / 38)).slice(0, characters);
}

const BEAT_MS = 20;

async function answer(model: string, response: ServerResponse): Promise<void> {
  const { deltas, characters, rate } = answerOf(model);
  const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
  const chunk = (delta: unknown, finish: string | null = null) =>
    event({
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const one = chunk({ content: deltaText(characters) });
  const usage = { prompt_tokens: 10, completion_tokens: deltas, total_tokens: deltas + 10 };
  const end = `${chunk({}, "stop")}${event({ id: "c1", object: "chat.completion.chunk", created: 1, model, choices: [], usage })}data: [DONE]\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ role: "assistant", content: "" }));
  const began = performance.now();
  for (let sent = 0; sent < deltas; ) {
    const due = rate === 0 ? deltas : Math.ceil(((performance.now() - began) * rate) / 1000 / characters);
    for (; sent < Math.min(due, deltas); sent++) if (!response.write(one)) await once(response, "drain");
    if (sent < deltas) await sleep(BEAT_MS);
  }
  response.end(end);
}

if (process.send !== undefined) {
  const server = createServer(async (request, response) => {
    // What is asked for is written by the benchmark itself.
    const { model } = (await json(request)) as { readonly model: string };
    await answer(model, response);
  });
  // A connection that is closed just as it is used again would be a failure of the benchmark.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1", () => {
    // A server that listens on a port has such an address.
    process.send?.((server.address() as AddressInfo).port);
  });
  process.on("disconnect", () => process.exit());
}
