import { describe, expect, it } from "vitest";
import { append, type History, toMessages } from "./history.ts";
import { summarizeHistory } from "./summarize-history.ts";

function said(history: History | undefined, agent: string, text: string): History {
  return append(history, { role: "agent", agent, text, toolCalls: [] });
}

describe("a summary", () => {
  it("is the request and the newest words of each agent, in the order in which they said them", () => {
    const history = said(said(said(undefined, "a", "old"), "b", "hello"), "a", "new");
    expect(toMessages(summarizeHistory(history, "How long?")).map(({ text }) => text)).toEqual([
      "How long?",
      "hello",
      "new",
    ]);
  });

  it("does not look back further than a thousand messages, so that it costs the same however long a run is", () => {
    let history = said(undefined, "long-ago", "hello");
    for (let index = 0; index < 1000; index++) history = said(history, "a", `${index}`);
    expect(toMessages(summarizeHistory(history, undefined)).map(({ text }) => text)).toEqual(["999"]);
  });
});
