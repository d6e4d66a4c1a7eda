import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import type { Store } from "../../journal/store.ts";
import type { RunId } from "../../vocabulary/ids.ts";
import { Refusal } from "../problem.ts";
import type { Service } from "../service.ts";
import { allowPushAddress } from "./push-address.ts";

/** The kind of document that holds whom to tell of a task. */
export const PUSH = "a2a-push";

const MAX_CONFIGS = 10;

/** Whom to tell of a task, and up to which event they were told. */
export interface StoredPushes {
  readonly configs: readonly (TaskPushNotificationConfig & {
    readonly toldSeq: number;
    readonly attempts: number;
    readonly dueAt: number;
  })[];
}

export async function savePushConfig(
  { store, pushAllow }: Pick<Service, "store" | "pushAllow">,
  given: TaskPushNotificationConfig,
  toldSeq: number,
): Promise<TaskPushNotificationConfig> {
  await allowPushAddress(given.url, pushAllow);
  const config = { ...given, id: given.id === "" ? crypto.randomUUID() : given.id };
  for (;;) {
    const { configs, version } = await readPushes(store, config.taskId);
    const others = configs.filter(({ id }) => id !== config.id);
    if (others.length >= MAX_CONFIGS)
      throw new Refusal("bad-request", `a task has at most ${MAX_CONFIGS} push notification configs`);
    const next = [...others, { ...config, toldSeq, attempts: 0, dueAt: 0 }];
    if (await store.put(PUSH, config.taskId, { configs: next }, version)) return config;
  }
}

export async function listPushConfigs(store: Store, runId: RunId): Promise<readonly TaskPushNotificationConfig[]> {
  const { configs } = await readPushes(store, runId);
  return configs.map(({ toldSeq: _, attempts: __, dueAt: ___, ...config }) => config);
}

export async function findPushConfig(
  store: Store,
  runId: RunId,
  id: string,
): Promise<TaskPushNotificationConfig | undefined> {
  return (await listPushConfigs(store, runId)).find((config) => config.id === id);
}

export async function dropPushConfig(store: Store, runId: RunId, id: string): Promise<void> {
  for (;;) {
    const { configs, version } = await readPushes(store, runId);
    const others = configs.filter((config) => config.id !== id);
    if (version === 0 || others.length === configs.length) return;
    if (await store.put(PUSH, runId, { configs: others }, version)) return;
  }
}

async function readPushes(store: Pick<Store, "get">, key: string) {
  const found = await store.get(PUSH, key);
  // Only Baton writes documents of this kind.
  const { configs = [] } = (found?.value ?? {}) as Partial<StoredPushes>;
  return { configs, version: found?.version ?? 0 };
}
