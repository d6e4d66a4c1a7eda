import { dropOldKeys } from "../run-storage/idempotency.ts";
import { deliverNotices } from "../runtime/deliver-notices.ts";
import { describeThrown } from "../vocabulary/errors.ts";
import { deliverPushes, type PushService } from "./a2a/deliver-pushes.ts";
import type { Service } from "./service.ts";

const NOTICES_MS = 2000;
const HOUR_MS = 3_600_000;

/** Sends notices and push notifications, and forgets idempotency keys that are a day old. Returns what ends that. */
export function startChores(
  service: PushService & Pick<Service, "variables">,
  note: (message: string) => void,
): () => void {
  const { store, variables } = service;
  const ending = new AbortController();
  const { signal } = ending;
  const noteFailure = (error: unknown) => note(`a chore failed and is repeated: ${describeThrown(error)}`);
  /** One at a time: what takes longer than the time between two is not done twice at once. */
  const alone = (chore: () => Promise<void>) => {
    let isDoing = false;
    return () => {
      if (isDoing) return;
      isDoing = true;
      chore()
        .catch(noteFailure)
        .finally(() => {
          isDoing = false;
        });
    };
  };
  const timers = [
    setInterval(
      alone(() => deliverNotices(store, { variables, signal, onFailure: note })),
      NOTICES_MS,
    ),
    setInterval(
      alone(() => deliverPushes(service, { signal, onFailure: note })),
      NOTICES_MS,
    ),
    setInterval(() => void dropOldKeys(store).catch(noteFailure), HOUR_MS),
  ];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearInterval(timer);
    ending.abort();
  };
}
