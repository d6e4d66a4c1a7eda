import assert from "node:assert/strict";
import { toRunId } from "../../vocabulary/ids.ts";
import {
  hasEvents,
  MINUTE,
  manyEvents,
  refuses,
  run,
  type StoreCases,
  said,
  started,
  takeRun,
  write,
} from "./case-tools.ts";

export const leaseCases: StoreCases = {
  "a lease says what it is of": async ({ store }) => {
    const { runId, owner, epoch } = await takeRun(store);
    assert.deepEqual({ runId, owner }, { runId: run, owner: "anna" });
    assert.ok(epoch > 0);
  },
  "a run that somebody holds is refused": async ({ store }) => {
    await takeRun(store);
    await refuses("run-owned", takeRun(store, run, "bert"));
  },
  "a refusal says who holds the run": async ({ store }) => {
    await takeRun(store);
    await assert.rejects(takeRun(store, run, "bert"), /anna/);
  },
  "of two who take a run at once, one gets it": async ({ store }) => {
    const taken = await Promise.allSettled([takeRun(store), takeRun(store, run, "bert")]);
    assert.deepEqual(
      taken.map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
  },
  "its own owner may take it again, and the epoch grows": async ({ store }) => {
    const first = await takeRun(store);
    const second = await takeRun(store);
    assert.ok(second.epoch > first.epoch);
  },
  "the earlier lease of the same owner is stale": async ({ store }) => {
    const first = await takeRun(store);
    const second = await takeRun(store);
    await refuses("stale-owner", store.append(first, [started()]));
    await store.append(second, [started()]);
    await hasEvents(store, [started()]);
  },
  "another run is free": async ({ store }) => {
    await takeRun(store);
    await takeRun(store, toRunId("run_other"), "bert");
  },
  "a lease ends when its time is over": async ({ store, clock }) => {
    const first = await takeRun(store);
    clock.advance(MINUTE);
    const second = await takeRun(store, run, "bert");
    assert.ok(second.epoch > first.epoch);
  },
  "a lease lasts until its time is over": async ({ store, clock }) => {
    await takeRun(store);
    clock.advance(MINUTE - 1);
    await refuses("run-owned", takeRun(store, run, "bert"));
  },
  "who lost a run can write nothing more": async ({ store, clock }) => {
    const stale = await write(store, [started()]);
    clock.advance(MINUTE);
    const lease = await takeRun(store, run, "bert");
    await refuses("stale-owner", store.append(stale, [said(1, "stale")]));
    await store.append(lease, [said(1)]);
    await refuses("stale-owner", store.append(stale, [said(2, "stale")]));
    await hasEvents(store, [started(), said(1)]);
  },
  "who lost a run is told so before the order is looked at": async ({ store, clock }) => {
    const stale = await write(store, [started()]);
    clock.advance(MINUTE);
    await takeRun(store, run, "bert");
    await refuses("stale-owner", store.append(stale, [said(9)]));
    await refuses("stale-owner", store.append(stale, []));
  },
  "a lease that ran out is good until somebody else takes the run": async ({ store, clock }) => {
    const lease = await takeRun(store);
    clock.advance(10 * MINUTE);
    await store.append(lease, [started()]);
    await hasEvents(store, [started()]);
  },
  "a renewed lease lasts longer": async ({ store, clock }) => {
    const lease = await takeRun(store);
    clock.advance(MINUTE - 1);
    await store.renew(lease, MINUTE);
    clock.advance(MINUTE - 1);
    await refuses("run-owned", takeRun(store, run, "bert"));
    clock.advance(1);
    await takeRun(store, run, "bert");
  },
  "a renewed lease may also last shorter": async ({ store, clock }) => {
    const lease = await takeRun(store);
    await store.renew(lease, 10);
    clock.advance(10);
    await takeRun(store, run, "bert");
  },
  "a lease that ran out can be renewed while nobody took the run": async ({ store, clock }) => {
    const lease = await takeRun(store);
    clock.advance(2 * MINUTE);
    await store.renew(lease, MINUTE);
    await refuses("run-owned", takeRun(store, run, "bert"));
  },
  "a stale lease cannot be renewed": async ({ store, clock }) => {
    const stale = await takeRun(store);
    clock.advance(MINUTE);
    await takeRun(store, run, "bert");
    await refuses("stale-owner", store.renew(stale, MINUTE));
  },
  "renewing leaves the epoch as it is": async ({ store }) => {
    const lease = await takeRun(store);
    await store.renew(lease, MINUTE);
    await store.append(lease, [started()]);
  },
  "a released run is free at once": async ({ store }) => {
    const lease = await takeRun(store);
    await store.release(lease);
    const next = await takeRun(store, run, "bert");
    assert.ok(next.epoch > lease.epoch);
  },
  "who released a run can neither write nor renew": async ({ store }) => {
    const lease = await write(store, [started()]);
    await store.release(lease);
    await refuses("stale-owner", store.append(lease, [said(1)]));
    await refuses("stale-owner", store.renew(lease, MINUTE));
    await hasEvents(store, [started()]);
  },
  "releasing twice, or what others hold, does nothing": async ({ store }) => {
    const lease = await takeRun(store);
    await store.release(lease);
    await store.release(lease);
    await takeRun(store, run, "bert");
    await store.release(lease);
    await refuses("run-owned", takeRun(store));
  },
  "releasing what was never taken does nothing": async ({ store }) => {
    await store.release({ runId: run, owner: "anna", epoch: 1 });
    assert.deepEqual(await store.list(), []);
  },
  "nobody writes to a run that was never taken": async ({ store }) => {
    await refuses("stale-owner", store.append({ runId: run, owner: "anna", epoch: 1 }, [started()]));
    await refuses("stale-owner", store.renew({ runId: run, owner: "anna", epoch: 1 }, MINUTE));
  },
  "a made-up epoch or owner is refused": async ({ store }) => {
    const lease = await takeRun(store);
    await refuses("stale-owner", store.append({ ...lease, epoch: lease.epoch + 1 }, [started()]));
    await refuses("stale-owner", store.append({ ...lease, owner: "bert" }, [started()]));
  },
  "the events stay when the owner changes": async ({ store }) => {
    await store.release(await write(store, manyEvents(3)));
    const lease = await takeRun(store, run, "bert");
    await store.append(lease, [said(3)]);
    await hasEvents(store, [...manyEvents(3), said(3)]);
  },
  "a clock that goes back a little leaves the lease": async ({ store, clock }) => {
    await takeRun(store);
    clock.advance(-MINUTE / 2);
    await refuses("run-owned", takeRun(store, run, "bert"));
  },
  "a clock that goes back far does not make a lease eternal": async ({ store, clock }) => {
    const stale = await write(store, [started()]);
    clock.advance(-365 * 24 * 60 * MINUTE);
    await takeRun(store, run, "bert");
    await refuses("stale-owner", store.append(stale, [said(1)]));
    await refuses("run-owned", takeRun(store));
  },
  "a clock that jumps forward costs the lease, not the run": async ({ store, clock }) => {
    const stale = await write(store, [started()]);
    clock.advance(365 * 24 * 60 * MINUTE);
    const lease = await takeRun(store, run, "bert");
    clock.advance(-365 * 24 * 60 * MINUTE);
    await store.append(lease, [said(1)]);
    await refuses("stale-owner", store.append(stale, [said(1, "stale")]));
    await hasEvents(store, [started(), said(1)]);
  },
  "a lease of no time, or for ever, is refused": async ({ store }) => {
    for (const leaseMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      await assert.rejects(store.take(run, "anna", leaseMs), RangeError);
  },
};
