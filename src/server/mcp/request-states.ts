import { randomBytes } from "node:crypto";
import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import type { Store } from "../../journal/store.ts";

/** The pause that a client answers when it calls again. */
export interface AskedPause {
  readonly runId: string;
  /** The number of the event with which the run paused. */
  readonly seq: number;
}

/** Signs what a client brings back with an answer, and checks it. */
export interface RequestStates {
  sign(pause: AskedPause, owner: string): Promise<string>;
  /** Rejects what was not signed here, was signed for another owner, or is too old. */
  verify(state: string, owner: string): Promise<AskedPause>;
}

/** Questions may wait for a person over a weekend; later answers go through `resume_run`. */
const VALID_SECONDS = 4 * 86_400;
const KIND = "mcp";
const KEY = "request-state-key";

/** The key is in the store, so that a state outlives a restart, and every server of the store knows it. */
export function createRequestStates(
  store: Pick<Store, "get" | "put">,
  validSeconds: number = VALID_SECONDS,
): RequestStates {
  const codecs = new Map<string, Promise<RequestStateCodec<AskedPause>>>();
  const codecOf = (owner: string) => {
    const known = codecs.get(owner);
    if (known !== undefined) return known;
    const created = readKey(store).then((key) =>
      createRequestStateCodec<AskedPause>({ key, ttlSeconds: validSeconds, bind: () => owner }),
    );
    codecs.set(owner, created);
    created.catch(() => codecs.delete(owner));
    return created;
  };
  return {
    sign: async (pause, owner) => (await codecOf(owner)).mint(pause, noContext),
    verify: async (state, owner) => (await codecOf(owner)).verify(state, noContext),
  };
}

/** The owner is bound by name, so nothing of a request is read. */
const noContext = {} as ServerContext;

async function readKey(store: Pick<Store, "get" | "put">): Promise<Uint8Array> {
  for (;;) {
    const found = await store.get(KIND, KEY);
    if (found !== undefined) return Buffer.from((found.value as { readonly key: string }).key, "base64url");
    const key = randomBytes(32);
    // Another server may be first, whose key then counts.
    if (await store.put(KIND, KEY, { key: key.toString("base64url") }, 0)) return key;
  }
}
