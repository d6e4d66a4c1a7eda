import { describe, expect, it } from "vitest";
import type { Message } from "../vocabulary/messages.ts";
import { cutOutputs } from "./cut-outputs.ts";
import { append, type History, toMessages } from "./history.ts";
import { trimHistory } from "./trim-history.ts";

const user = (text: string): Message => ({ role: "user", text });

function historyOf(...texts: readonly string[]): History {
  const [first = "", ...rest] = texts;
  return rest.reduce((history, text) => append(history, user(text)), append(undefined, user(first)));
}

describe("a history", () => {
  it("gives its messages oldest first", () => {
    expect(toMessages(historyOf("a", "b", "c")).map(({ text }) => text)).toEqual(["a", "b", "c"]);
    expect(toMessages(undefined)).toEqual([]);
  });

  it("is shared by what branches off it, and no branch sees another", () => {
    const common = historyOf("a", "b");
    const [left, right] = [append(common, user("left")), append(common, user("right"))];
    expect(left.before).toBe(right.before);
    expect(toMessages(left).map(({ text }) => text)).toEqual(["a", "b", "left"]);
    expect(toMessages(common)).toHaveLength(2);
  });

  it("costs the same to add to, however long it is", () => {
    const long = historyOf(...Array.from({ length: 10_000 }, (_, index) => `message ${index}`));
    const longer = append(long, user("new"));
    expect(longer.before).toBe(long);
    expect(longer.length).toBe(10_001);
  });
});

describe("a history that outgrows the window", () => {
  const history = historyOf("the request", ...Array.from({ length: 20 }, (_, index) => `${index} ${"x".repeat(290)}`));

  it("keeps the first message, a note, and the newest", () => {
    const { messages, trimmed } = trimHistory(history, 1000, 20);
    expect(messages[0]).toEqual(user("the request"));
    expect(messages[1]).toEqual(user(`[${trimmed} earlier messages trimmed to fit context window]`));
    expect(messages.at(-1)?.text.startsWith("19 ")).toBe(true);
    expect(messages.length - 2 + trimmed).toBe(20);
  });

  it("is cut down to the window less the percentage", () => {
    expect(trimHistory(history, 1000, 20).trimmed).toBeLessThan(trimHistory(history, 1000, 60).trimmed);
  });
});

describe("trimming", () => {
  it("keeps the newest message, however long it is", () => {
    const { messages } = trimHistory(historyOf("the request", "old ".repeat(300), "new ".repeat(3000)), 500, 20);
    expect(messages.at(-1)?.text.startsWith("new ")).toBe(true);
  });

  it("leaves no tool result without the call that asked for it", () => {
    const call: Message = { role: "agent", agent: "a", text: "x".repeat(900), toolCalls: [{ name: "t", args: {} }] };
    const result: Message = { role: "tool", agent: "a", tool: "t", text: "y".repeat(300) };
    const history = [call, result, result, user("now")].reduce(
      (sum, message) => append(sum, message),
      historyOf("the request"),
    );
    const { messages } = trimHistory(history, 400, 20);
    expect(messages.map(({ role }) => role)).toEqual(["user", "user", "user"]);
  });

  it("keeps the results that the agent waits for, and their call, however long they are", () => {
    const call: Message = { role: "agent", agent: "a", text: "", toolCalls: [{ name: "t", args: {} }] };
    const result: Message = { role: "tool", agent: "a", tool: "t", text: "y".repeat(900) };
    const history = [user("old"), call, result, result].reduce(
      (sum, message) => append(sum, message),
      historyOf("the request"),
    );
    const { messages, trimmed } = trimHistory(history, 400, 20);
    expect(messages.map(({ role }) => role)).toEqual(["user", "user", "agent", "tool", "tool"]);
    expect(trimmed).toBe(1);
  });

  it("walks no further than what fits and what is new, however long the history is", () => {
    let visits = 0;
    const counted = (history: History): History =>
      Object.defineProperty({ ...history }, "before", {
        get: () => {
          visits++;
          return history.before;
        },
      });
    let history = counted(historyOf("the request"));
    for (let index = 0; index < 10_000; index++) history = counted(append(history, user("y".repeat(30))));
    const asked = () => {
      visits = 0;
      return { ...trimHistory(history, 1000, 20), visits };
    };
    expect(asked().visits).toBeGreaterThan(10_000);
    for (let index = 0; index < 10; index++) history = counted(append(history, user("new")));
    const { messages, trimmed } = asked();
    expect(messages.length + trimmed).toBe(10_012);
    expect(visits).toBeLessThan(4 * messages.length);
  });
});

describe("tool output that is too long", () => {
  it("is cut in the middle, with its size", () => {
    const [cut = ""] = cutOutputs(["a".repeat(50) + "z".repeat(50)], {
      maxToolOutputChars: 20,
      maxTotalToolOutputChars: undefined,
    });
    expect(cut).toBe(`${"a".repeat(10)}\n[… cut: 100 characters in all …]\n${"z".repeat(10)}`);
  });

  it("shares what a turn may have in all", () => {
    const limits = { maxToolOutputChars: 100, maxTotalToolOutputChars: 12 };
    expect(cutOutputs(["12345678", "12345678"], limits)).toEqual([
      "12345678",
      "12\n[… cut: 8 characters in all …]\n78",
    ]);
  });

  it("is left alone where it fits", () => {
    expect(cutOutputs(["short"], { maxToolOutputChars: 5, maxTotalToolOutputChars: undefined })).toEqual(["short"]);
  });
});
