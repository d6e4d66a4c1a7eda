import { describe, expect, it } from "vitest";
import { watch } from "./watch-panel.ts";

describe("a pause", () => {
  it("is a question with its choices, answered in place", async () => {
    const crew = `
routing:
  signals: { boss: [{ signal: "[SEND]", target: clerk }, { signal: "[NOTE]", type: status }] }
  agent_behaviors: { boss: { auto_route: false }, clerk: { wait_for_signal: true } }`;
    const replies = `
boss: ["[NOTE] Off it goes. [SEND]", "Off it goes again. [SEND]"]
clerk: ["To whom?", "To Ann, then."]`;
    const answers = ["rej not like this", "appr", "Ann"];
    const { screen, summary } = await watch(crew, { boss: "", clerk: "" }, replies, { answers, columns: 60 });
    expect(screen).toBe(
      `
panel  Begin

╭ boss  ✓ 0.0s
│ Off it goes.
├─ [NOTE]
├─ [SEND]
╰──‖ paused

┃ boss waits for your approval
┃
┃ Agent 'boss' wants to hand over to 'clerk' (signal
┃ [SEND]):
┃
┃   approve           let it go on
┃   reject <words>    tell boss why not
┃   redirect <agent>  boss, clerk
┃
┃ Enter an empty line to leave the run paused.
❯ rej not like this

╭ boss  ✓ 0.0s
│ Off it goes again.
╰─ [SEND] ──‖ paused

┃ boss waits for your approval
┃
┃ Agent 'boss' wants to hand over to 'clerk' (signal
┃ [SEND]):
┃
┃   approve           let it go on
┃   reject <words>    tell boss why not
┃   redirect <agent>  boss, clerk
┃
┃ Enter an empty line to leave the run paused.
❯ appr

╶──▶ clerk  signal [SEND]

╭ clerk  ✓ 0.0s
│ To whom?
╰──‖ paused

┃ clerk waits for your answer
┃
┃ Enter an empty line to leave the run paused.
❯ Ann

╭ clerk  ✓ 0.0s
│ To Ann, then.
╰──‖ paused
`.trimStart(),
    );
    expect(summary).toContain("‖ paused: clerk waits for an answer\n\n  path      boss → boss → clerk → clerk\n");
  });

  it("in the middle of an answer tells what was done so far, once", async () => {
    const replies = `
boss:
  - { text: "First I look.", tools: [{ name: lookup }] }
  - { text: "Now I pay.", tools: [{ name: pay, args: { to: "Ann" } }] }
  - Done.`;
    const { screen } = await watch("", { boss: "tools: [lookup, pay]" }, replies, { answers: ['edit {"to":"Bob"}'] });
    expect(screen).toBe(
      `
panel  Begin

╭ boss  ‖ waits · 0s · script
│ First I look.
│ › lookup  0.0s  4\\x1b[2J
│ Now I pay.
╰──‖ paused

┃ boss waits for your approval
┃
┃ Agent 'boss' wants to call pay with {"to":"Ann"}
┃
┃   approve         let it go on
┃   edit <JSON>     continue with these arguments instead
┃   reject <words>  tell boss why not
┃
┃ Enter an empty line to leave the run paused.
❯ edit {"to":"Bob"}

╭ boss  ✓ 0.0s
│ › pay {"to":"Bob"}  0.0s  paid
│
│ Done.
╰──■ end
`.trimStart(),
    );
  });
});
