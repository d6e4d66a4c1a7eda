import { describe, it } from "vitest";
import { storeContract } from "../testing/store-contract.ts";
import { createMemory, openStoreIn } from "./memory-store.ts";

storeContract({ describe, it }, "the store in memory", async () => {
  const memory = createMemory();
  return { open: async (clock) => openStoreIn(memory, clock), remove: async () => {} };
});
