import { describe, expect, it } from "vitest";
import { diagnose } from "../src/diagnosis/diagnose.ts";
import { loadCrew, type Model, ModelError } from "../src/index.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { writeCrew } from "./write-crew.ts";

/** What the diagnosis says of crew `low`, which fails so often, and is called by crew `mid`, which crew `top` calls. */
async function diagnoseFailure(call: string, failures: number, isRetryable = true) {
  const crew = (name: string, sub: string, more: string) =>
    `version: "2.0"\nname: ${name}\nmodels: [m/m]\nagents: [${name}er]\n${sub === "" ? "" : `sub_crews: { ${sub}: { config_path: ../${sub} } }\n`}${more}`;
  const bound = (name: string, binding: string) =>
    `routing:\n  signals:\n    ${name}er:\n      - { signal: "[DONE]", target: "" }\n      - ${binding}\n`;
  const agent = "---\ndescription: works\nmax_retries: 0\n---\nSay [GO], then [DONE].\n";
  const folder = writeCrew({
    "package.json": "{}",
    "top/crew.yaml": crew("top", "mid", bound("top", '{ signal: "[GO]", target_crew: mid }')),
    "top/agents/toper.md": agent,
    "mid/crew.yaml": crew("mid", "low", call.startsWith("{") ? bound("mid", call) : ""),
    "mid/agents/mider.md": call.startsWith("{") ? agent : agent.replace("max_retries", `${call}\nmax_retries`),
    "low/crew.yaml": crew("low", "", ""),
    "low/agents/lower.md": agent,
  });
  let failed = 0;
  const model: Model = {
    name: "m/m",
    call({ agent: name, calls, tools }) {
      if (name === "lower" && failed++ < failures) throw new ModelError("out of order", { isRetryable });
      const delegates = calls === 1 && tools.some((tool) => tool.name === "crew__delegate");
      if (delegates) {
        const toolCalls = [{ name: "crew__delegate", args: { crew: "low", input: "go" } }];
        return { text: "", toolCalls, finish: "tool-calls" };
      }
      return { text: calls === 1 ? "on it [GO]" : "so it is [DONE]", toolCalls: [], finish: "stop" };
    },
  };
  const clock = createVirtualClock();
  const loaded = await loadCrew(`${folder}/top`, { root: folder, clock, models: { "m/m": model }, env: {} });
  const events: BatonEvent[] = [];
  await loaded.run("go", { onEvent: (event) => void (event.seq !== undefined && events.push(event)) });
  const { findings } = diagnose(events, loaded.definition);
  return findings.filter(({ code }) => code === "branch-failed");
}

const binding = (more: string) => `{ signal: "[GO]", target_crew: low${more} }`;
const atBinding = { crew: "mid", keys: ["routing", "signals", "mider", 1] };

describe("the advice on a sub-crew of a sub-crew that failed", () => {
  it.each([
    ["nothing is said", "", 9, true, "say with 'on_error' what is to follow: retry, fallback or continue"],
    ["a retry fails in the same way", "", 9, false, "fallback or continue; a retry would fail in the same way"],
    ["retries helped", ", on_error: retry", 2, true, "nothing, unless it happens often: 'on_error' helped"],
    [
      "retries did not help",
      ", on_error: retry, max_retries: 2",
      9,
      true,
      "with 'continue' at its end 'mider' would be told",
    ],
    [
      "the caller went on",
      ", on_error: [retry, continue]",
      9,
      true,
      "see why it failed; 'mider' was told, and went on",
    ],
  ])(
    "names the binding that called it, and fits what that says: %s",
    async (_, more, failures, isRetryable, advice) => {
      const found = await diagnoseFailure(binding(more), failures, isRetryable);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatchObject({
        title: "the sub-crew low failed",
        where: atBinding,
        advice: expect.stringContaining(advice),
      });
    },
  );

  it("speaks of no policy where a tool called it", async () => {
    const [found] = await diagnoseFailure("delegate: [low]", 9);
    expect(found).toMatchObject({
      where: { crew: "mid", keys: ["sub_crews", "low"] },
      advice: "see why it failed; its caller got the failure",
    });
  });
});
