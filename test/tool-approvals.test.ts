import { describe, expect, expectTypeOf, it } from "vitest";
import { type BatonEvent, defineTool, loadCrew, type Model, type ResumeAnswer } from "../src/index.ts";
import { type Given, reply } from "./reply.ts";
import { writeCrew } from "./write-crew.ts";

describe("a tool that needs approval", () => {
  const files = {
    "crew.yaml": `version: "2.0"
name: bank
models: [fake/one]
agents: [clerk, cashier, guard]
routing:
  signals: { clerk: [{ signal: "[BOTH]", target: pair }, { signal: "[DONE]", target: "" }] }
  parallel_groups: { pair: { agents: [cashier, guard], wait_for_all: true, next_agent: clerk } }
`,
    "agents/clerk.md": "---\ndescription: d\ntools: [pay]\n---\nSay [BOTH] or [DONE].\n",
    "agents/cashier.md": "---\ndescription: d\ntools: [pay]\n---\nPay.\n",
    "agents/guard.md": "---\ndescription: d\n---\nWatch.\n",
  };

  async function open(replies: Readonly<Record<string, readonly Given[]>>) {
    const paid: unknown[] = [];
    const pay = defineTool({
      name: "pay",
      description: "pays",
      parameters: { type: "object", properties: { sum: { type: "number" } } },
      needsApproval: true,
      execute: (args) => void paid.push(args),
    });
    const model: Model = {
      name: "fake/one",
      // The guard takes longer than it takes to ask for approval.
      call: async ({ agent, calls }) => {
        if (agent === "guard") await new Promise((done) => setTimeout(done, 20));
        return reply(replies[agent]?.[calls - 1] ?? "");
      },
    };
    const path = writeCrew(files);
    const crew = await loadCrew(path, { root: path, tools: [pay], models: { "fake/one": model } });
    return { crew, paid };
  }

  it("is answered with a decision of a union, and with nothing else", () => {
    expectTypeOf<ResumeAnswer["decision"]>().toEqualTypeOf<
      "approve" | "reject" | "edit" | `redirect:${string}` | "happened" | "not_happened" | "fail" | undefined
    >();
  });

  it.each<[ResumeAnswer, unknown[]]>([
    [{ decision: "approve" }, [{ sum: 5 }]],
    [{ decision: "edit", args: { sum: 3 } }, [{ sum: 3 }]],
    [{ decision: "reject", input: "too much" }, []],
  ])("is called as the human decides: %j", async (answer, called) => {
    const { crew, paid } = await open({ clerk: [{ tool: "pay", args: { sum: 5 } }, "so be it [DONE]"] });
    const paused = await crew.run("pay 5");
    expect(paused).toMatchObject({
      status: "paused",
      paused: { agent: "clerk", reason: "approval", options: ["approve", "edit", "reject"] },
    });
    expect(paid).toEqual([]);
    expect(await crew.resume(paused.runId, answer).result).toMatchObject({ status: "completed", output: "so be it" });
    expect(paid).toEqual(called);
  });

  it("stays paused where words come with an approval, which nobody would read", async () => {
    const { crew, paid } = await open({ clerk: [{ tool: "pay", args: { sum: 5 } }, "so be it [DONE]"] });
    const { runId } = await crew.run("pay 5");
    await expect(crew.resume(runId, { decision: "approve", input: "but less" }).result).rejects.toMatchObject({
      code: "bad-answer",
      message: expect.stringContaining("'input' is only used with the decision 'reject'"),
    });
    expect(paid).toEqual([]);
    expect(await crew.resume(runId, { decision: "approve" }).result).toMatchObject({ status: "completed" });
  });

  it("stays paused where edited arguments do not fit it", async () => {
    const { crew, paid } = await open({ clerk: [{ tool: "pay", args: { sum: 5 } }, "so be it [DONE]"] });
    const { runId } = await crew.run("pay 5");
    const edit = (args: unknown) => crew.resume(runId, { decision: "edit", args }).result;
    await expect(edit({ sum: "three" })).rejects.toMatchObject({ code: "bad-answer" });
    expect(paid).toEqual([]);
    expect(await edit({ sum: 3 })).toMatchObject({ status: "completed" });
    expect(paid).toEqual([{ sum: 3 }]);
  });

  it("in a branch waits until the others have finished, and loses nothing of them", async () => {
    const { crew, paid } = await open({
      clerk: ["both of you [BOTH]", "fine [DONE]"],
      cashier: [{ tool: "pay", args: { sum: 1 } }, "paid"],
      guard: ["all quiet"],
    });
    const events: BatonEvent[] = [];
    const paused = await crew.run("go", { onEvent: (event) => void events.push(event) });
    expect(events.map(({ type, agent }) => `${type} ${agent ?? ""}`).slice(-2)).toEqual([
      "agent.completed guard",
      "run.paused cashier",
    ]);
    const again: BatonEvent[] = [];
    const result = await crew.resume(
      paused.runId,
      { decision: "approve" },
      { onEvent: (event) => void again.push(event) },
    ).result;
    expect(result).toMatchObject({ status: "completed", path: ["clerk", "pair", "clerk"] });
    expect(again.filter(({ type, agent }) => type === "model.called" && agent === "guard")).toEqual([]);
    expect(paid).toEqual([{ sum: 1 }]);
  });
});
