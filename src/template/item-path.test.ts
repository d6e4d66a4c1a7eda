import { describe, expect, it } from "vitest";
import { findItems, parseItemPath } from "./item-path.ts";

describe("a path to items", () => {
  it.each([
    ["$", []],
    ["$.sections", ["sections"]],
    ["$.plan.mục_lục", ["plan", "mục_lục"]],
    ["$[0].a[\"b c\"]['d']", [0, "a", "b c", "d"]],
  ])("is read: %s", (text, path) => {
    expect(parseItemPath(text)).toEqual(path);
  });

  it.each(["", "sections", "$sections", "$.", "$..a", "$.a.", "$[x]", "$[-1]", "$[*]", "$.a b", '$["a]'])(
    "is none: %j",
    (text) => expect(parseItemPath(text)).toBeUndefined(),
  );

  it("leads to a list", () => {
    expect(findItems({ plan: [{ parts: ["a", 1] }] }, ["plan", 0, "parts"])).toEqual({ items: ["a", 1] });
    expect(findItems([], [])).toEqual({ items: [] });
  });

  it.each([
    [{ parts: [] }, ["sections"], "there is no $.sections: $ is an object with parts"],
    [{ a: "x" }, ["a", "b"], "there is no $.a.b: $.a is a text"],
    [["a"], [1], "there is no $[1]: $ is a list of 1"],
    [{ a: 2 }, ["a"], "$.a is the number 2, and no list"],
    [{}, [], "$ is an empty object, and no list"],
    [{}, ["constructor"], "there is no $.constructor: $ is an empty object"],
    [{ "a b": null }, ["a b"], '$["a b"] is null, and no list'],
  ])("says where it ends: %j", (value, path, problem) => {
    expect(findItems(value, path)).toEqual({ problem });
  });
});
