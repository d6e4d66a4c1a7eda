import { describe, expect, it } from "vitest";
import { newFile, openProcess, payingDefinition, startWithout } from "./open-process.ts";

describe("a run in a store", () => {
  it("pauses in one process and goes on in another, which calls nothing that was called", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?"]);
    const paused = await first.crew.run("help");
    expect(paused).toMatchObject({ status: "paused" });
    await first.store.close();
    const second = await openProcess(file, ["that one [FIX]", "mended"]);
    const result = await second.crew.resume(paused.runId, { input: "the left" }).result;
    expect(result).toMatchObject({ status: "completed", output: "mended", path: ["triage", "triage", "fixer"] });
    expect(second.calls).toEqual(["triage", "fixer"]);
    const events = await second.store.read(paused.runId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    await expect(second.crew.resume(paused.runId, { input: "again" }).result).rejects.toMatchObject({
      code: "not-paused",
    });
  });

  it("is resumed by one of two that try at once, and an answer that does not fit changes nothing", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?", "fine [FIX]", "mended"]);
    const { runId } = await first.crew.run("help");
    await expect(first.crew.resume(runId, { decision: "approve" }).result).rejects.toMatchObject({
      code: "bad-answer",
    });
    await expect(first.crew.recover(runId).result).rejects.toMatchObject({
      message: `run '${runId}' is paused: answer it with baton resume ${runId} <answer>`,
    });
    const second = await openProcess(file, ["fine [FIX]", "mended"]);
    const outcomes = await Promise.allSettled([
      first.crew.resume(runId, { input: "left" }).result,
      second.crew.resume(runId, { input: "right" }).result,
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "run-active" } });
  });

  it("goes on where its process died, once that is known to be dead", async () => {
    const file = newFile();
    const first = await openProcess(file, ["go [FIX]", undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.calls).toEqual(["triage", "fixer"]);
    const soon = await openProcess(file, ["mended"]);
    await expect(soon.crew.recover(runId).result).rejects.toMatchObject({ code: "run-active" });
    const later = await openProcess(file, ["mended"], 1);
    expect(await later.crew.recover(runId).result).toMatchObject({ status: "completed", output: "mended" });
    expect(later.calls).toEqual(["fixer"]);
    await expect(later.crew.recover(runId).result).rejects.toMatchObject({
      code: "not-broken",
      message: `run '${runId}' is completed: there is nothing to continue`,
    });
  });

  it("says what changed in its crew, and continues with the new one or with the original", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?"]);
    const { runId } = await first.crew.run("help");
    const [triage, fixer] = payingDefinition.agents;
    const changed = { agents: [triage, { ...fixer, prompt: "Repair well." }], settings: { max_handoffs: 3 } };
    const second = await openProcess(file, ["that one [FIX]", "mended"], 0, changed);
    const refusal = second.crew.resume(runId, { input: "left" }).result;
    await expect(refusal).rejects.toMatchObject({ code: "crew-changed" });
    await expect(refusal).rejects.toThrow(/agents\.fixer\.prompt has changed[\s\S]*settings\.maxHandoffs has changed/);
    const original = await second.crew.resume(runId, { input: "left" }, { original: true }).result;
    expect(original).toMatchObject({ status: "completed" });
    const third = await openProcess(file, ["which?", "that one [FIX]", "mended"], 0, changed);
    const again = await third.crew.run("help");
    expect(await third.crew.resume(again.runId, { input: "left" }).result).toMatchObject({ status: "completed" });
  });

  it("can be cancelled while it is paused", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?"]);
    const { runId } = await first.crew.run("help");
    expect(await first.crew.cancel(runId)).toMatchObject({ status: "cancelled", path: ["triage"] });
    await expect(first.crew.resume(runId, { input: "x" }).result).rejects.toMatchObject({ code: "not-paused" });
  });
});
