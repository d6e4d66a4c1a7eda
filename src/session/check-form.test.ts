import { describe, expect, it } from "vitest";
import { ModelError } from "../models/model.ts";
import { checkForm } from "./check-form.ts";

const usage = { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 5 };
const reply = { text: "Done.", toolCalls: [{ name: "look", args: { at: "it" } }], finish: "tool-calls" };
const metadata = { model: "m", reasoning: [{ text: "so" }], calls: [null] };

const malformed: readonly (readonly [problem: string, keys: object])[] = [
  ["'finish' must be stop, tool-calls, length, content-filter; got 'done'", { finish: "done" }],
  ["'reasoning' must be text", { reasoning: 5 }],
  ["'responseModel' must be text", { responseModel: 5 }],
  ["'ms' must be a number of 0 or more", { ms: -1 }],
  ["'msToFirstToken' must be a number of 0 or more", { msToFirstToken: Number.NaN }],
  ["'usage' must have input, output, cacheRead, cacheWrite, reasoning, total; leave it out", { usage: null }],
  ...Object.keys(usage).map(
    (kind) => [`'usage.${kind}' must be a number`, { usage: { ...usage, [kind]: "1" } }] as const,
  ),
  ["'toolCalls[1]' must have a name and args", { toolCalls: [{ name: "look", args: {} }, "look"] }],
  ["'toolCalls[0]' must have a name and args", { toolCalls: [{ args: {} }] }],
  ["toolCalls[0].args.at", { toolCalls: [{ name: "look", args: { at: () => 1 } }] }],
  ["'providerMetadata' must have model, reasoning and calls", { providerMetadata: null }],
  ["'providerMetadata' must have model, reasoning and calls", { providerMetadata: { ...metadata, model: 1 } }],
  ["'providerMetadata' must have model, reasoning and calls", { providerMetadata: { ...metadata, calls: 1 } }],
  ["'providerMetadata' must have model, reasoning and calls", { providerMetadata: { ...metadata, reasoning: [{}] } }],
  ["providerMetadata.calls", { providerMetadata: { ...metadata, calls: [1n] } }],
];

describe("a reply of a model in code", () => {
  it("may have all that a reply has", () => {
    const whole = { reasoning: "so", responseModel: "m-1", ms: 0, msToFirstToken: 2.5, usage };
    expect(() => checkForm({ ...reply, ...whole, providerMetadata: metadata })).not.toThrow();
    expect(() => checkForm({ ...reply, toolCalls: [], finish: "stop" })).not.toThrow();
  });

  it.each([undefined, null, {}, { ...reply, text: 5 }, { ...reply, toolCalls: "none" }, { ...reply, finish: 1 }])(
    "is none without text, calls and an end: %j",
    (given) => {
      expect(() => checkForm(given)).toThrow("gave no reply: it must have a text, toolCalls and finish");
    },
  );

  it.each(malformed)("is refused where it is malformed: %s", (problem, keys) => {
    const refused = () => checkForm({ ...reply, ...keys });
    expect(refused).toThrow(ModelError);
    expect(refused).toThrow(problem);
  });
});
