import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Dialect, WireAnswer } from "./wire-dialects.ts";

/** One request, and what is needed to answer it badly. */
export interface Wire {
  readonly response: ServerResponse;
  readonly dialect: Dialect;
  readonly isStreamed: boolean;
}

export type Play = (wire: Wire) => void;

export interface HostileServer {
  readonly url: string;
  /** The bodies of the requests so far. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** Requests that somebody still waits for. */
  waiting(): number;
  close(): Promise<void>;
}

/** A server on loopback that plays a part for each request; the last for all that follow. */
export async function openHostileServer(dialect: Dialect, plays: readonly Play[]): Promise<HostileServer> {
  const requests: Readonly<Record<string, unknown>>[] = [];
  let waiting = 0;
  const server = createServer(async (request, response) => {
    waiting++;
    response.on("close", () => waiting--);
    response.on("error", () => {});
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body: Readonly<Record<string, unknown>> = JSON.parse(text);
    const play = plays[Math.min(requests.length, plays.length - 1)];
    requests.push(body);
    play?.({ response, dialect, isStreamed: body["stream"] === true || request.url?.includes("stream") === true });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    waiting: () => waiting,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A whole answer, as it should be. */
export const answer =
  (said: WireAnswer): Play =>
  (wire) => {
    begin(wire);
    for (const part of partsOf(wire, said)) wire.response.write(part);
    wire.response.end();
  };

export const refuse =
  (status: number, headers: Readonly<Record<string, string>>, body: string): Play =>
  ({ response }) =>
    void response.writeHead(status, headers).end(body);

export const resetBefore: Play = ({ response }) => void response.socket?.resetAndDestroy();

/** What comes of an answer until something goes wrong in the middle of it. */
export const half =
  (said: WireAnswer, then: (wire: Wire) => void): Play =>
  (wire) => {
    begin(wire);
    const parts = partsOf(wire, said);
    const written = parts.slice(0, Math.ceil(parts.length / 2)).join("");
    wire.response.write(written, () => then(wire));
  };

/** All of an answer until its calls are there, and no end: streamed, they are whole. */
export const withoutEnd =
  (said: WireAnswer): Play =>
  (wire) => {
    begin(wire);
    const parts = partsOf(wire, said);
    const last = parts.findLastIndex((part) => said.calls?.some(({ name }) => part.includes(name)));
    wire.response.end(parts.slice(0, Math.min(last + 1, parts.length - 1)).join(""));
  };

/** One event, or one part of the body, that is not JSON; the rest is as it should be. */
export const corrupt =
  (said: WireAnswer): Play =>
  (wire) => {
    begin(wire);
    const parts = partsOf(wire, said);
    const middle = Math.floor(parts.length / 2);
    for (const [index, part] of parts.entries()) {
      if (index === middle) wire.response.write(wire.isStreamed ? 'data: {"choices":[{"del\n\n' : "\u0000}{");
      wire.response.write(part);
    }
    wire.response.end();
  };

export const hang: Play = () => {};

/** A body that goes on for a hundred megabytes, in the format of an answer. */
export const flood: Play = ({ response, dialect, isStreamed }) => {
  begin({ response, dialect, isStreamed });
  const text = "x".repeat(2 ** 20);
  const one = isStreamed
    ? sse(dialect.events({ text: "§" }).find((event) => event.includes("§")) ?? "").replace("§", text)
    : text;
  let left = 100;
  const more = (): void => {
    while (left-- > 0) {
      if (response.destroyed) return;
      if (!response.write(one)) {
        response.once("drain", more);
        return;
      }
    }
    response.end();
  };
  if (!isStreamed) response.write('{"text":"');
  more();
};

/** The same bytes, one at a time: letters of several bytes come in parts. */
export const byteByByte =
  (said: WireAnswer): Play =>
  (wire) => {
    begin(wire);
    const bytes = Buffer.from(partsOf(wire, said).join(""));
    let at = 0;
    const more = (): void => {
      if (at === bytes.length) wire.response.end();
      else wire.response.write(bytes.subarray(at, ++at), () => setImmediate(more));
    };
    more();
  };

/** One byte a second, until the caller has enough of it. */
export const trickle =
  (said: WireAnswer): Play =>
  (wire) => {
    begin(wire);
    const bytes = Buffer.from(partsOf(wire, said).join(""));
    let at = 0;
    const more = (): void => void wire.response.write(bytes.subarray(at, ++at));
    more();
    const timer = setInterval(more, 1000);
    wire.response.on("close", () => clearInterval(timer));
  };

function begin({ response, isStreamed }: Wire): void {
  response.writeHead(200, { "content-type": isStreamed ? "text/event-stream" : "application/json" });
  response.flushHeaders();
}

function partsOf({ dialect, isStreamed }: Wire, said: WireAnswer): string[] {
  if (isStreamed) return dialect.events(said).map(sse);
  const text = JSON.stringify(dialect.whole(said));
  return text.match(/.{1,40}/gsu) ?? [];
}

function sse(event: string): string {
  // Anthropic and OpenAI's responses name their events.
  const { type }: { readonly type?: string } = event.startsWith("{") && event.endsWith("}") ? JSON.parse(event) : {};
  return `${type === undefined ? "" : `event: ${type}\n`}data: ${event}\n\n`;
}
