import { beforeAll, describe, expect, it } from "vitest";
import { newSchema, type TestSchema } from "../../test/postgres-server.ts";
import { refusal } from "../../test/refusal.ts";
import { manyEvents, run, write } from "../testing/store-cases/case-tools.ts";
import { openExistingPostgresStore, openPostgresStore } from "./open-postgres-store.ts";
import { POSTGRES_FORMAT } from "./postgres-format.ts";
import type { Store } from "./store.ts";

let schema: TestSchema;
beforeAll(async () => {
  schema = await newSchema();
});

/** Opens the store for a test, and closes it. */
async function withStore(go: (store: Store) => Promise<void>, url = schema.url): Promise<void> {
  const store = await openPostgresStore(url);
  try {
    await go(store);
  } finally {
    await store.close();
    await schema.clear();
  }
}

describe("opening a store in PostgreSQL", () => {
  it("is refused for a wrong password, which no message has", async () => {
    await schema.query("CREATE DATABASE guarded");
    await schema.query("CREATE ROLE clerk LOGIN PASSWORD 'right-word-1'");
    const guarded = (password: string) =>
      schema.url.replace("postgres://postgres@localhost/postgres", `postgres://clerk${password}@localhost/guarded`);
    const wrong = await refusal(openPostgresStore(guarded(":wrong-word-1")));
    expect(wrong.code).toBe("store-denied");
    expect(wrong.message).toMatch(/postgres:\/\/clerk@.*password authentication failed for user "clerk"/);
    expect(wrong.message).not.toContain("wrong-word");
    const none = await refusal(openPostgresStore(guarded("")));
    expect(none.code).toBe("store-denied");
    expect(none.message).toMatch(/asks for a password.*PGPASSWORD/);
  });

  it("is refused for an address that cannot be read, without showing it", async () => {
    const { code, message } = await refusal(openPostgresStore("postgres://anna:se%cret@host:99999999/x"));
    expect(code).toBe("bad-option");
    expect(message).toMatch(/postgres:\/\/user:password@host/);
    expect(message).not.toContain("cret@host");
  });

  it("is refused where there is no server, no database or no such host", async () => {
    const options = { patienceMs: 200 };
    const down = await refusal(openPostgresStore("postgres://anna:hidden@127.0.0.1:1/x", options));
    expect(down.code).toBe("store-unreachable");
    expect(down.message).toMatch(/postgres:\/\/anna@127\.0\.0\.1:1\/x.*ECONNREFUSED/);
    expect(down.message).not.toContain("hidden");
    const missing = await refusal(openPostgresStore(schema.url.replace("/postgres?", "/nobodys?")));
    expect([missing.code, missing.message]).toEqual(["store-not-found", expect.stringContaining("createdb")]);
  });

  it("is refused for a schema of another program, and leaves it as it is", async () => {
    await schema.query("CREATE SCHEMA theirs; CREATE TABLE theirs.runs (x int)");
    const { code, message } = await refusal(openPostgresStore(schema.url, { schema: "theirs" }));
    expect([code, message]).toEqual(["store-not-ours", expect.stringContaining("--schema")]);
    expect(await refusal(openPostgresStore(schema.url, { schema: "x; DROP" }))).toMatchObject({ code: "bad-option" });
    expect(await refusal(openPostgresStore(schema.url, { schema: "pg_x" }))).toMatchObject({ code: "bad-option" });
  });

  it("is refused for a schema of a newer version", async () => {
    await withStore(async () => {
      await schema.query(`UPDATE ${schema.name}.format SET version = 99`);
      expect(await refusal(openPostgresStore(schema.url))).toMatchObject({
        code: "store-too-new",
        message: expect.stringContaining("format 99"),
      });
      await schema.query(`UPDATE ${schema.name}.format SET version = ${POSTGRES_FORMAT}`);
    });
  });

  it("needs no right to create anything, once somebody else has created it", async () => {
    await withStore(async () => {});
    const { name } = schema;
    await schema.query("CREATE ROLE worker LOGIN");
    const asWorker = schema.url.replace("postgres://postgres@", "postgres://worker@");
    expect(await refusal(openPostgresStore(asWorker))).toMatchObject({
      code: "store-denied",
      message: expect.stringContaining("docs/postgres.md"),
    });
    await schema.query(`GRANT USAGE ON SCHEMA ${name} TO worker;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO worker;
      REVOKE INSERT, UPDATE, DELETE ON ${name}.format FROM worker`);
    await withStore(async (store) => {
      await write(store, manyEvents(3));
      expect(await store.read(run)).toEqual(manyEvents(3));
    }, asWorker);
    expect(await refusal(openPostgresStore(asWorker, { schema: "another" }))).toMatchObject({ code: "store-denied" });
  });

  it("creates nothing for those who only look", async () => {
    expect(await openExistingPostgresStore(schema.url, { schema: "not_there" })).toBeUndefined();
    expect(await schema.query("SELECT to_regnamespace('not_there') AS found")).toEqual([{ found: null }]);
  });

  it("may be tried by many at once", async () => {
    const other = await newSchema();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgresStore(other.url)));
    expect(await stores[3]?.list()).toEqual([]);
    for (const store of stores) await store.close();
  });
});
