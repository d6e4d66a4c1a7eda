import { describe, expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

describe("the nearest name", () => {
  it.each([
    ["studnet", "student", "two letters are swapped"],
    ["studen", "student", "a letter is missing"],
    ["studeent", "student", "a letter is doubled"],
    ["stuxent", "student", "a letter is wrong"],
    ["Student", "student", "the case differs"],
    ["max_handofs", "max_handoffs", "a letter is missing in a key"],
    ["maxHandoffs", "max_handoffs", "the key is in camelCase"],
    ["data analyst", "data-analyst", "the separator differs"],
    ["QUESTION", "[QUESTION]", "the brackets are missing"],
    ["kỹ-thuât", "kỹ-thuật", "an accent is missing"],
  ])("of %s is %s, since %s", (typed, name) => {
    expect(nearestName(typed, ["teacher", name, "reporter"])).toBe(name);
  });

  it.each(["librarian", "xyz", "studio hands"])("of %s is none where all are too far", (typed) => {
    expect(nearestName(typed, ["student", "teacher", "reporter"])).toBeUndefined();
  });

  it("is none where there are no names", () => expect(nearestName("student", [])).toBeUndefined());

  it("is never the name itself", () => {
    expect(nearestName("student", ["student"])).toBeUndefined();
    expect(nearestName("student", ["student", "students"])).toBe("students");
  });

  it("is the nearer of two that are near enough", () => {
    expect(nearestName("reporte", ["reported on", "reporter"])).toBe("reporter");
    expect(nearestName("writers", ["waiter", "writer"])).toBe("writer");
  });

  it("is the first of two that are equally near", () => {
    expect(nearestName("cat1", ["cat2", "cat3"])).toBe("cat2");
    expect(nearestName("cat1", ["cat3", "cat2"])).toBe("cat3");
  });

  it("allows one slip in three letters and no more", () => {
    expect(nearestName("abcdef", ["abcdxx"])).toBe("abcdxx");
    expect(nearestName("abcdef", ["abcxxx"])).toBeUndefined();
  });

  it("is found quickly among names without bound", () => {
    const names = Array.from({ length: 200 }, (_, index) => `${"x".repeat(10_000)}${index}`);
    expect(nearestName("y".repeat(10_000), names)).toBeUndefined();
  });
});
