import { describe, expect, it } from "vitest";
import type { Failure } from "../vocabulary/events.ts";
import { Scope } from "./scope.ts";

/** Something in a scope that notes with what it was closed. */
function createInside(name: string, told: unknown[]) {
  return {
    close: (reason: string, limit?: Failure) => void told.push([name, reason, limit]),
    dispose: () => void told.push([name, "disposed"]),
  };
}

describe("a scope", () => {
  it("closes all that is in it once, the innermost first, and stays closed for its first reason", () => {
    const told: unknown[] = [];
    const scope = new Scope();
    scope.add(createInside("outer", told));
    const inner = scope.open();
    inner.add(createInside("inner", told));
    scope.close("cancelled");
    scope.close("timeout");
    expect(told).toEqual([
      ["inner", "cancelled", undefined],
      ["outer", "cancelled", undefined],
    ]);
    expect([scope.reason, inner.reason]).toEqual(["cancelled", "cancelled"]);
    expect(() => inner.throwIfClosed()).toThrow("cancelled");
  });

  it("closes at once what is added to it later, by the same limit", () => {
    const told: unknown[] = [];
    const limit: Failure = { code: "timeout", message: "late" };
    const scope = new Scope();
    scope.close("timeout", limit);
    scope.add(createInside("late", told));
    expect(told).toEqual([["late", "timeout", limit]]);
    scope.dispose();
    expect(told).toHaveLength(1);
  });

  it("leaves alone what has left it, wherever that stood", () => {
    const told: unknown[] = [];
    const scope = new Scope();
    const [first, middle, last] = ["first", "middle", "last"].map((name) => createInside(name, told));
    for (const each of [first, middle, last]) if (each !== undefined) scope.add(each);
    if (middle !== undefined) scope.remove(middle);
    scope.remove(createInside("stranger", told));
    scope.dispose();
    scope.close("cancelled");
    expect(told).toEqual([
      ["first", "disposed"],
      ["last", "disposed"],
      ["last", "cancelled", undefined],
      ["first", "cancelled", undefined],
    ]);
  });
});
