import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { run, said, started, takeRun, write } from "../testing/store-cases/case-tools.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { locateStore } from "./locate-store.ts";
import { loadSqlite } from "./open-database.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { EVENTS_PER_RUN } from "./sqlite-format.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-file-"));
  file = join(folder, "journal.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the place of the store", () => {
  it("is .baton in the project, or the folder that BATON_HOME names", () => {
    expect(locateStore("/project", {})).toBe("/project/.baton/journal.sqlite");
    expect(locateStore("/project", { BATON_HOME: "" })).toBe("/project/.baton/journal.sqlite");
    expect(locateStore("/project", { BATON_HOME: "/home/anna/runs" })).toBe("/home/anna/runs/journal.sqlite");
  });

  it("is made for its owner only, and kept out of version control", async () => {
    const place = locateStore(join(folder, "project"), {});
    const store = await openSqliteStore(place);
    await write(store, [started()]);
    expect(modeOf(join(folder, "project", ".baton"))).toBe(0o700);
    for (const suffix of ["", "-wal", "-shm"]) expect(modeOf(place + suffix)).toBe(0o600);
    expect(readFileSync(join(folder, "project", ".baton", ".gitignore"), "utf8")).toBe("*\n");
    await store.close();
  });

  it("is left as it is where the folder is there already", async () => {
    chmodSync(folder, 0o755);
    await (await openSqliteStore(file)).close();
    expect(readdirSync(folder)).toEqual(["journal.sqlite"]);
    expect(modeOf(folder)).toBe(0o755);
  });
});

describe("a file that is not ours", () => {
  it.each([
    ["text", () => writeFileSync(file, "notes about sqlite, nothing more".repeat(10))],
    ["a folder", () => mkdirSync(file)],
    ["another program's SQLite file", () => withDatabase("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")],
    ["another program's file with its own id", () => withDatabase("PRAGMA application_id = 7; CREATE TABLE runs (x)")],
  ])("such as %s is refused and left as it is", async (_, make) => {
    make();
    const before = statSync(file).isFile() ? readFileSync(file) : undefined;
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: "store-not-ours" });
    if (before !== undefined) expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(folder)).toEqual(["journal.sqlite"]);
  });

  it("that is empty is refused: it was one of ours, or somebody else's", async () => {
    writeFileSync(file, "");
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: "store-damaged" });
  });

  it("of a newer version is refused and left as it is", async () => {
    await (await openSqliteStore(file)).close();
    withDatabase("PRAGMA user_version = 6");
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: "store-too-new", message: /format 6/ });
  });

  it("of ours without one of its tables is refused", async () => {
    await (await openSqliteStore(file)).close();
    withDatabase("DROP TABLE documents");
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: "store-damaged" });
  });

  it("in a folder that is a file is refused", async () => {
    writeFileSync(join(folder, "x"), "");
    await expect(openSqliteStore(join(folder, "x", "journal.sqlite"))).rejects.toMatchObject({ code: "store-failed" });
  });
});

describe("a place that cannot be written", () => {
  it.each([
    ["a folder in which nothing can be made", () => chmodSync(folder, 0o555)],
    ["a folder in which no file can be put beside it", () => makeStoreReadable(0o600, 0o555)],
    ["a file that can only be read", () => makeStoreReadable(0o444, 0o755)],
  ])("%s is refused", (_, make) => {
    make();
    expect(codeForNobody()).toBe("store-read-only");
    chmodSync(folder, 0o755);
  });
});

describe("a run that has as many events as the file has room for", () => {
  it("gets no more", async () => {
    const store = await openSqliteStore(file);
    await write(store, [started(), said(1)]);
    await store.close();
    const last = EVENTS_PER_RUN - 1;
    withDatabase(
      `UPDATE events SET position = position + ${last - 1}, text = replace(text, '"seq":1', '"seq":${last}')
       WHERE position % ${EVENTS_PER_RUN} = 1`,
    );
    const reopened = await openSqliteStore(file);
    const lease = await takeRun(reopened);
    await expect(reopened.append(lease, [said(EVENTS_PER_RUN)])).rejects.toMatchObject({ code: "run-too-long" });
    await reopened.close();
  });
});

describe("a disk without room", () => {
  it("refuses what does not fit, keeps what is there and goes on when there is room", async () => {
    const { store, limit } = await openWithLimit();
    const theirs = toRunId("run_other");
    const lease = await write(store, [started()]);
    const other = await takeRun(store, theirs);
    limit(20);
    const large = [said(1, "x".repeat(200_000))];
    const small = [started("small", { runId: theirs })];
    const [refused, kept] = await Promise.allSettled([store.append(lease, large), store.append(other, small)]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "store-full" } });
    expect(kept.status).toBe("fulfilled");
    await expect(store.append(lease, large)).rejects.toMatchObject({ code: "store-full" });
    expect([await store.read(run), await store.read(theirs)]).toEqual([[started()], small]);
    limit(1_000_000);
    await store.append(lease, large);
    expect(await store.read(run)).toEqual([started(), ...large]);
    await store.close();
  });
});

describe("a journal that another program has locked", () => {
  it("is refused in the end, and works again when it is free", async () => {
    const store = await openSqliteStore(file, { busyMs: 50 });
    const lease = await takeRun(store);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.append(lease, [started()])).rejects.toMatchObject({ code: "store-busy" });
    expect(await store.read(run)).toEqual([]);
    other.exec("ROLLBACK");
    await store.append(lease, [started()]);
    expect(await store.read(run)).toEqual([started()]);
    other.close();
    await store.close();
  });

  it("is waited for", async () => {
    const store = await openSqliteStore(file);
    const lease = await takeRun(store);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    const appended = store.append(lease, [started()]);
    setTimeout(() => other.exec("ROLLBACK"), 1);
    await appended;
    expect(await store.read(run)).toEqual([started()]);
    other.close();
    await store.close();
  });
});

describe("Node's SQLite", () => {
  it("is loaded without its warning, and with any other", () => {
    const emit = vi.spyOn(process, "emitWarning").mockReturnValue();
    const load = vi.spyOn(process, "getBuiltinModule").mockImplementation(() => {
      process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
      process.emitWarning("something else", "ExperimentalWarning");
    });
    loadSqlite();
    expect(emit.mock.calls).toEqual([["something else", "ExperimentalWarning"]]);
    expect(process.emitWarning).toBe(emit);
    emit.mockRestore();
    load.mockRestore();
  });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function withDatabase(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** A store whose file cannot grow, which SQLite reports as a full disk. */
async function openWithLimit() {
  const sqlite = loadSqlite();
  const opened: DatabaseSync[] = [];
  class Watched extends DatabaseSync {
    constructor(...given: ConstructorParameters<typeof DatabaseSync>) {
      super(...given);
      opened.push(this);
    }
  }
  const load = vi.spyOn(process, "getBuiltinModule").mockReturnValue({ ...sqlite, DatabaseSync: Watched });
  const store = await openSqliteStore(file);
  load.mockRestore();
  return { store, limit: (pages: number) => opened.at(-1)?.exec(`PRAGMA max_page_count = ${pages}`) };
}

function makeStoreReadable(fileMode: number, folderMode: number): void {
  const make = `import { openSqliteStore } from ${JSON.stringify(import.meta.resolve("./open-sqlite-store.ts"))};
    await (await openSqliteStore(${JSON.stringify(file)})).close();`;
  spawnSync(process.execPath, ["--input-type=module", "-e", make]);
  if (process.getuid?.() === 0) chownSync(file, 65534, 65534);
  chmodSync(file, fileMode);
  chmodSync(folder, folderMode);
}

/** The superuser may write everywhere, so these tests open the store as nobody if they run as root. */
function codeForNobody(): string {
  const open = `import { openSqliteStore } from ${JSON.stringify(import.meta.resolve("./open-sqlite-store.ts"))};
    await openSqliteStore(${JSON.stringify(file)}).then(() => console.log("opened"), (error) => console.log(error.code));`;
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  return spawnSync(process.execPath, ["--input-type=module", "-e", open], {
    ...nobody,
    encoding: "utf8",
  }).stdout.trim();
}
