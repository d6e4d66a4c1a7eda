import { describe, expect, it } from "vitest";
import { sleep } from "./clock.ts";
import { createVirtualClock } from "./virtual-clock.ts";

describe("a virtual clock", () => {
  it("lets hours pass in no time, in the order of their ends", async () => {
    const clock = createVirtualClock(0);
    const order: string[] = [];
    const { signal } = new AbortController();
    const nap = async (name: string, ms: number) => {
      await sleep(clock, ms, signal);
      order.push(`${name} ${clock.now()}`);
    };
    await Promise.all([nap("long", 3_600_000), nap("short", 5), nap("same", 5)]);
    expect(order).toEqual(["short 5", "same 5", "long 3600000"]);
  });

  it("does what is deferred before time moves on", async () => {
    const clock = createVirtualClock(0);
    const order: string[] = [];
    await new Promise<void>((done) => {
      clock.after(1, () => {
        order.push("timer");
        done();
      });
      clock.defer(() => order.push("deferred"));
    });
    expect(order).toEqual(["deferred", "timer"]);
  });

  it("forgets what is called off", async () => {
    const clock = createVirtualClock(0);
    clock.after(1, () => expect.unreachable()).callOff();
    await new Promise<void>((done) => clock.after(2, done));
  });
});

describe("sleeping", () => {
  it("ends with the signal, and throws its reason", async () => {
    const abort = new AbortController();
    const asleep = sleep(createVirtualClock(0), 1000, abort.signal);
    abort.abort(new Error("enough"));
    await expect(asleep).rejects.toThrow("enough");
  });
});
