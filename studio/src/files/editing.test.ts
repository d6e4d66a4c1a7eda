import { describe, expect, it } from "vitest";
import { completeText } from "./complete-text.ts";
import { findKeyPath } from "./find-key-path.ts";
import { findFix } from "./fix-text.ts";

const text = `name: desk
routing:
  signals:
    triage:
      - { signal: "[A]" }
      - signal: x
        tar
settings:
  max_`;

const names = { agents: ["triage", "billing"], groups: ["both"], signals: ["[DONE]"], tools: ["search"] };
const shape = {
  properties: {
    name: {},
    routing: {
      properties: {
        signals: {
          additionalProperties: {
            items: { properties: { signal: {}, target: { description: "where" }, type: { enum: ["route", null] } } },
          },
        },
      },
    },
    settings: { properties: { max_rounds: {}, timeout_seconds: {} } },
  },
};

describe("the place in a text", () => {
  it("has the keys around it, also in a list", () => {
    expect(findKeyPath(text, text.indexOf("tar\n") + 3)).toMatchObject({
      ...{ path: ["routing", "signals", "triage"], isKey: true, word: "tar" },
    });
    expect(findKeyPath(text, text.length)).toMatchObject({ path: ["settings"], isKey: true, word: "max_" });
    expect(findKeyPath("name: de", 8)).toMatchObject({ path: ["name"], isKey: false, word: "de", from: 6 });
  });
});

describe("completion", () => {
  it("offers the keys that fit the place", () => {
    const found = completeText(text, text.indexOf("tar\n") + 3, shape, names);
    expect(found?.options).toEqual([{ label: "target", apply: "target: ", detail: "where" }]);
    expect(completeText(text, text.length, shape, names)?.options.map(({ label }) => label)).toEqual(["max_rounds"]);
  });

  it("offers agents, groups, signals and the values of a key", () => {
    const at = (line: string) => {
      const whole = `routing:\n  signals:\n    triage:\n      - ${line}`;
      return completeText(whole, whole.length, shape, names)?.options.map(({ apply }) => apply);
    };
    expect(at("target: b")).toEqual(["billing", "both"]);
    expect(at("signal: ")).toEqual(['"[DONE]"']);
    expect(at("type: ")).toEqual(["route"]);
    expect(at("description: ")).toBeUndefined();
  });
});

describe("a quick fix", () => {
  it("changes the wrong name alone and keeps the comment beside it", () => {
    const broken = 'agents:\n  - { signal: "[A]", target: studnet } # who learns\n';
    const fix = findFix(broken, {
      line: 2,
      column: 29,
      message: "signal '[A]' targets unknown agent 'studnet'; did you mean 'student'?",
      suggestion: "student",
    });
    expect(fix && broken.slice(0, fix.from) + fix.insert + broken.slice(fix.to)).toBe(
      'agents:\n  - { signal: "[A]", target: student } # who learns\n',
    );
  });

  it("is not offered where nothing is near", () => {
    expect(findFix("a: b", { line: 1, message: "unknown agent 'b'" })).toBeUndefined();
    expect(
      findFix("a: b", { line: 9, message: "unknown agent 'x'; did you mean 'y'?", suggestion: "y" }),
    ).toBeUndefined();
  });
});
