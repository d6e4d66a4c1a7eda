import { describe, expect, it } from "vitest";
import { type Account, buildAccounts } from "../src/views/accounts.ts";
import { buildResult } from "../src/views/run-result.ts";
import { eventsOf } from "./events-of.ts";

function all(account: Account): Account[] {
  return [account, ...account.children.flatMap(all)];
}

const sumOfTokens = (accounts: readonly Account[]) =>
  accounts.reduce((sum, { own }) => sum + (own.usage.total ?? Number.NaN), 0);

describe("the accounts of a run", () => {
  it("are a tree of run, crew, sessions, turns and calls", async () => {
    const run = buildAccounts(await eventsOf("accounting/nested"));
    const lines = all(run).map(
      ({ kind, name, own, total }) => `${kind} ${name} ${own.usage.total}/${total.usage.total}`,
    );
    expect(lines).toEqual([
      "run run_scenario 36/36",
      "crew nested 36/36",
      "session lead 12/16",
      "turn turn 1 3/7",
      "call script 3/3",
      "session helper 4/4",
      "turn turn 1 4/4",
      "call script 4/4",
      "turn turn 2 9/9",
      "call script 0/0",
      "call script 9/9",
      "session left 5/5",
      "turn turn 1 5/5",
      "call script 5/5",
      "session right 15/15",
      "turn turn 1 15/15",
      "call script 15/15",
    ]);
  });

  it("sum up to what the result says, to the token", async () => {
    const events = await eventsOf("accounting/nested");
    const run = buildAccounts(events);
    const { usage, cost } = buildResult(events);
    expect(run.total).toMatchObject({ usage, cost });
    for (const kind of ["call", "turn", "session", "crew"] as const)
      expect(sumOfTokens(all(run).filter((account) => account.kind === kind))).toBe(usage.total);
  });
});
