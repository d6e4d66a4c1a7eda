import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generate } from "../docs/generate.ts";

describe("generated files", () => {
  it.each([...generate()])("%s is what `npm run docs` writes", (path, text) => {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), "utf8")).toBe(text);
  });
});
