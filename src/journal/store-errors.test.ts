import { describe, expect, it } from "vitest";
import { toStoreError } from "./store-errors.ts";

const errorWith = (keys: object) => Object.assign(new Error("no luck"), keys);
const codeOf = (keys: object) => Reflect.get(Object(toStoreError("j.sqlite", errorWith(keys))), "code");

describe("an error of a store in a file", () => {
  it.each([
    ["store-read-only", { code: "EROFS" }],
    ["store-failed", { code: "ENOTDIR" }],
    ["store-full", { code: "EDQUOT" }],
    ["store-damaged", { code: "ERR_OUT_OF_RANGE" }],
    ["store-busy", { errcode: 5 + 256 }],
    ["store-busy", { errcode: 6 }],
    ["store-read-only", { errcode: 8 + 5 * 256 }],
    ["store-full", { errcode: 13 }],
    ["store-full", { errcode: 4874 }],
    ["store-damaged", { errcode: 26 }],
    ["store-failed", { errcode: 14 }],
  ])("is %s for %j", (code, keys) => {
    expect(codeOf(keys)).toBe(code);
  });

  it("says what the system says, where it is another failure of a system call", () => {
    const error = errorWith({ code: "EIO", syscall: "read" });
    expect(toStoreError("j.sqlite", error)).toMatchObject({
      code: "store-failed",
      message: "the journal 'j.sqlite' cannot be used: no luck",
      cause: error,
    });
  });

  it.each([
    ["no code", {}],
    ["a code that is not text", { code: 5 }],
    ["a code of something else", { code: "ERR_INVALID_STATE" }],
  ])("stays as it is with %s, since it is a bug", (_, keys) => {
    const error = errorWith(keys);
    expect(toStoreError("j.sqlite", error)).toBe(error);
    expect(toStoreError("j.sqlite", "no luck")).toBe("no luck");
  });
});
