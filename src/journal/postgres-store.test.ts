import { describe, it } from "vitest";
import { newSchema, type TestSchema } from "../../test/postgres-server.ts";
import { storeContract } from "../testing/store-contract.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

let schema: TestSchema | undefined;

storeContract({ describe, it }, "the store in PostgreSQL", async () => {
  schema ??= await newSchema();
  const { url, clear } = schema;
  return { open: (clock) => openPostgresStore(url, { clock }), remove: clear };
});
