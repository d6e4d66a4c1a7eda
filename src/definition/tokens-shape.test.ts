import { describe, expect, it } from "vitest";
import { readTokenEntries } from "./tokens-shape.ts";

describe("a tokens file", () => {
  it("that does not exist is a problem that says how to make one", () => {
    expect(readTokenEntries("/nowhere/tokens.yaml")).toMatchObject({
      diagnostics: [
        {
          code: "not-found",
          message: "/nowhere/tokens.yaml does not exist: make its lines with baton token new <name>",
        },
      ],
    });
  });
});
