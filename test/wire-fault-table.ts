import * as hostile from "./hostile-server.ts";

/** What a broken turn carries before it breaks, and must not act: a signal that goes elsewhere. */
const half = { text: "[LEAVE] This is the first half, and this is the second half. [LEAVE] [LEAVE]" };
export const call = (id: string, args = '{"at":"x"}', name = "look") => ({ id, name, args });

/** What a server may do to a call, and what must follow. */
interface Fault {
  readonly name: string;
  readonly play: hostile.Play;
  /** What follows: the same model again, the next model, or an answer like any other. */
  readonly follows: "retry" | "next" | "answer";
  /** How many calls there are whose cost nobody knows. */
  readonly unknown: number;
  readonly code?: string;
  readonly waitMs?: number;
  readonly timeoutMs?: number;
  readonly tools?: readonly string[];
  /** The usage that the answer has in the place of counts. */
  readonly usage?: false | "empty";
  /** Whether the call was refused, so that there is nothing to pay. */
  readonly isUnbilled?: boolean;
}

export const faults: readonly Fault[] = [
  {
    name: "429 with Retry-After",
    isUnbilled: true,
    play: hostile.refuse(429, { "retry-after": "0.02" }, '{"error":{"message":"slow down"}}'),
    follows: "retry",
    unknown: 0,
    code: "status_429",
    waitMs: 20,
  },
  {
    name: "429 with Retry-After as a date",
    isUnbilled: true,
    play: hostile.refuse(
      429,
      { date: "Mon, 16 Nov 2026 10:00:00 GMT", "retry-after": "Mon, 16 Nov 2026 10:00:00 GMT" },
      "{}",
    ),
    follows: "retry",
    unknown: 0,
    code: "status_429",
  },
  {
    name: "429 without Retry-After",
    isUnbilled: true,
    play: hostile.refuse(429, {}, "{}"),
    follows: "retry",
    unknown: 0,
    code: "status_429",
    waitMs: 1,
  },
  {
    name: "429 with nothing left",
    isUnbilled: true,
    play: hostile.refuse(
      429,
      {},
      '{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}',
    ),
    follows: "next",
    unknown: 0,
    code: "status_429",
  },
  {
    name: "500",
    isUnbilled: true,
    play: hostile.refuse(500, {}, "{}"),
    follows: "retry",
    unknown: 0,
    code: "status_500",
  },
  {
    name: "502 with HTML",
    isUnbilled: true,
    play: hostile.refuse(502, { "content-type": "text/html" }, "<html><h1>Bad gateway</h1></html>"),
    follows: "retry",
    unknown: 0,
    code: "status_502",
  },
  {
    name: "401",
    isUnbilled: true,
    play: hostile.refuse(401, {}, '{"error":{"message":"no"}}'),
    follows: "next",
    unknown: 0,
  },
  {
    name: "a redirect",
    isUnbilled: true,
    play: hostile.refuse(307, { location: "http://127.0.0.1:1/" }, ""),
    follows: "next",
    unknown: 0,
    code: "status_307",
  },
  { name: "reset before the answer", play: hostile.resetBefore, follows: "retry", unknown: 1, code: "incomplete" },
  {
    name: "reset in the middle",
    play: hostile.half(half, ({ response }) => response.socket?.resetAndDestroy()),
    follows: "retry",
    unknown: 1,
    code: "incomplete",
  },
  {
    name: "a clean end in the middle",
    play: hostile.half(half, ({ response }) => response.end()),
    follows: "retry",
    unknown: 1,
    code: "incomplete",
  },
  {
    name: "a clean end after a transfer",
    play: hostile.withoutEnd({ calls: [call("c1", '{"context":{}}', "transfer_to_elsewhere")] }),
    follows: "retry",
    unknown: 1,
    code: "incomplete",
  },
  {
    name: "a transfer with truncated arguments",
    play: hostile.answer({ calls: [call("c1", '{"context":{', "transfer_to_elsewhere")] }),
    follows: "answer",
    unknown: 0,
    tools: ["tool.failed"],
  },
  { name: "a corrupt chunk", play: hostile.corrupt(half), follows: "retry", unknown: 1, code: "incomplete" },
  {
    name: "an error in the stream",
    play: hostile.half(half, ({ response, dialect }) => response.end(`data: ${dialect.errorEvent}\n\n`)),
    follows: "retry",
    unknown: 1,
    code: "incomplete",
  },
  {
    name: "truncated tool arguments",
    play: hostile.answer({ calls: [call("c1", '{"at":"x')] }),
    follows: "answer",
    unknown: 0,
    tools: ["tool.failed"],
  },
  {
    name: "an unknown tool",
    play: hostile.answer({ calls: [call("c1", "{}", "nobody")] }),
    follows: "answer",
    unknown: 0,
    tools: ["tool.failed"],
  },
  {
    name: "two calls with one id",
    play: hostile.answer({ calls: [call("c1"), call("c1", '{"at":"y"}')] }),
    follows: "answer",
    unknown: 0,
    tools: ["tool.completed", "tool.completed"],
  },
  {
    name: "no usage",
    play: hostile.answer({ text: "Fine. [DONE]", hasUsage: false }),
    usage: false,
    follows: "answer",
    unknown: 1,
  },
  {
    name: "an empty usage",
    play: hostile.answer({ text: "Fine. [DONE]", hasUsage: "empty" }),
    usage: "empty",
    follows: "answer",
    unknown: 1,
  },
  { name: "an empty answer", play: hostile.answer({ text: "" }), follows: "retry", unknown: 0, code: "empty" },
  {
    name: "an answer of invisible characters",
    play: hostile.answer({ text: "\u200B \n\uFEFF" }),
    follows: "retry",
    unknown: 0,
    code: "empty",
  },
  {
    name: "an answer that is only thought aloud",
    play: hostile.answer({ text: "<think>[LEAVE] is one way.</think>" }),
    follows: "retry",
    unknown: 0,
    code: "empty",
  },
  {
    name: "an answer that is cut off",
    play: hostile.answer({ text: "All is well, and", end: "length" }),
    follows: "answer",
    unknown: 0,
  },
  {
    name: "an answer that is cut off before it begins",
    play: hostile.answer({ text: "", end: "length" }),
    follows: "next",
    unknown: 0,
    code: "empty",
  },
  {
    name: "a filtered answer",
    play: hostile.answer({ text: "[LEAVE]", end: "filter" }),
    follows: "retry",
    unknown: 0,
    code: "filtered",
  },
  { name: "an empty body", play: hostile.refuse(200, {}, ""), follows: "retry", unknown: 1, code: "incomplete" },
  { name: "a hang at the start", play: hostile.hang, follows: "retry", unknown: 1, code: "timeout", timeoutMs: 100 },
  {
    name: "a hang in the middle",
    play: hostile.half(half, () => {}),
    follows: "retry",
    unknown: 1,
    code: "timeout",
    timeoutMs: 100,
  },
  {
    name: "a byte a second",
    play: hostile.trickle(half),
    follows: "retry",
    unknown: 1,
    code: "timeout",
    timeoutMs: 100,
  },
  {
    name: "letters split over chunks",
    play: hostile.byteByByte({ text: "Kết thúc 🎼 [DONE]" }),
    follows: "answer",
    unknown: 0,
  },
  { name: "100 MB", play: hostile.flood, follows: "next", unknown: 1, code: "too_large" },
];
