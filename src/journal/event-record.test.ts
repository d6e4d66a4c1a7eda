import { describe, expect, it } from "vitest";
import { run, said } from "../testing/store-cases/case-tools.ts";
import { parseRecord } from "./event-record.ts";

const parse = (text: string) => parseRecord(text, run, 1, (value) => value);

describe("a stored event", () => {
  it("is the event that was written", () => {
    const event = { ...said(1), agent: "host", crew: "desk", parentId: "run_0.0" };
    expect(parse(JSON.stringify(event))).toEqual(event);
  });

  it.each([
    [{ runId: "run_other" }, "belongs to run 'run_other'"],
    [{ ts: "noon" }, "has no time"],
    [{ ts: null }, "has no time"],
    [{ type: "" }, "has no type"],
    [{ type: 7 }, "has no type"],
    [{ id: 7 }, "has no id or no path"],
    [{ path: null }, "has no id or no path"],
    [{ data: [1] }, "has no data"],
    [{ data: null }, "has no data"],
    [{ parentId: 7 }, "has a parentId, agent or crew that is not text"],
    [{ agent: 7 }, "has a parentId, agent or crew that is not text"],
    [{ crew: null }, "has a parentId, agent or crew that is not text"],
    [{ seq: 2 }, "says that it is event 2"],
  ])("with %j is refused: it %s", (damage, problem) => {
    expect(parse(JSON.stringify({ ...said(1), ...damage }))).toBe(problem);
  });

  it.each([
    ["{", "is not JSON"],
    ["7", "is not an object"],
    ["[]", "is not an object"],
    ["null", "is not an object"],
  ])("such as %s is refused: it %s", (text, problem) => {
    expect(parse(text)).toBe(problem);
  });
});
