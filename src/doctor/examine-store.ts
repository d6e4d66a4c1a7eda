import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { fine, note, type Observation, wrong } from "./observation.ts";

const KIND = "doctor";

/** Opens the store, writes a document and deletes it, and counts the runs that wait for somebody. */
export async function examineStore(where: string, open: () => Promise<Store | undefined>): Promise<Observation[]> {
  try {
    const store = await open();
    if (store === undefined) return [note("store", `${where}: none yet; the first run creates it`)];
    try {
      return await examineOpen(where, store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return [wrong("store", error.message, `'baton explain ${error.code}' says more.`)];
  }
}

async function examineOpen(where: string, store: Store): Promise<Observation[]> {
  const key = `${process.pid}-${performance.now()}`;
  await store.put(KIND, key, null, 0);
  await store.drop(KIND, key);
  const running = await store.list({ status: "running", limit: MOST });
  const interrupted = running.filter(({ isOwned }) => !isOwned);
  const paused = await store.list({ status: "paused", limit: MOST });
  return [
    fine("store", `${where} can be read and written`),
    ...(interrupted.length === 0
      ? []
      : [
          note(
            "runs",
            `${count(interrupted.length, "run")} interrupted`,
            "'baton resume <run>' continues one; 'baton runs' lists them.",
          ),
        ]),
    ...(paused.length === 0
      ? []
      : [
          note(
            "runs",
            `${count(paused.length, "run")} waiting for an answer`,
            "'baton runs --status paused' lists them.",
          ),
        ]),
  ];
}

const MOST = 1000;

function count(number: number, word: string): string {
  return number < MOST ? formatAmount(number, word) : `${MOST} ${word}s or more`;
}
