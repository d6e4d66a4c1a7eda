import type { Clock } from "../run/clock.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { createBlobMethods } from "./blob-methods.ts";
import { checkName } from "./check-name.ts";
import { toJson, toRecords } from "./event-record.ts";
import type { HandoffRecord } from "./handoff-record.ts";
import { createMemoryMethods } from "./memory-methods.ts";
import {
  append,
  checkLease,
  isAtRest,
  type RunRow,
  releaseLease,
  removeRun,
  renewLease,
  take,
  toStoredRun,
} from "./run-row.ts";
import type { DocumentWrite, Lease, Store, StoredRun } from "./store.ts";
import type { Tables } from "./tables.ts";
import { type Tail, tailEvents } from "./tail-events.ts";

/** Creates a store from tables. These rules are the same for all of them. */
export function createTableStore<Row extends RunRow>(tables: Tables<Row>, clock: Pick<Clock, "now">): Store {
  let isClosed = false;
  const checkOpen = () => {
    if (isClosed) throw new BatonError("store-closed", "the store is closed");
  };
  return {
    ...createRunMethods(tables, clock, checkOpen),
    ...createDocumentMethods(tables, checkOpen),
    ...createHandoffMethods(tables, checkOpen),
    ...createMemoryMethods(tables, clock, checkOpen),
    ...createBlobMethods(tables, checkOpen),
    tail(runId, fromSeq, signal) {
      const read = (from: number) => (isClosed ? undefined : tables.read(() => readTail(tables, runId, from)));
      return tailEvents(read, tables.wakeUps, runId, clampFirst(fromSeq), signal);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      tables.wakeUps.wakeAll();
      await tables.close();
    },
  };
}

type RunMethods = Pick<Store, "take" | "renew" | "release" | "append" | "read" | "remove" | "list">;
type HandoffMethods = Pick<Store, "learn" | "stats" | "handoffs" | "forget">;
type DocumentMethods = Pick<Store, "get" | "put" | "drop" | "kinds" | "documents">;

function createRunMethods<Row extends RunRow>(
  tables: Tables<Row>,
  clock: Pick<Clock, "now">,
  checkOpen: () => void,
): RunMethods {
  return {
    async take(runId, owner, leaseMs) {
      checkOpen();
      checkName(runId, "run");
      checkName(owner, "owner");
      checkLease(leaseMs);
      return tables.write((): Lease => {
        const before = tables.findRun(runId) ?? tables.newRun(runId);
        const after = take(before, owner, leaseMs, clock.now());
        tables.saveRun(before, after, []);
        return { runId, owner, epoch: after.epoch };
      });
    },
    async renew(lease, leaseMs) {
      checkOpen();
      checkLease(leaseMs);
      return tables.write(() => {
        const before = tables.findRun(lease.runId);
        const after = renewLease(before, lease, leaseMs, clock.now());
        tables.saveRun(before ?? after, after, []);
      });
    },
    async release(lease) {
      checkOpen();
      return tables.write(() => {
        const before = tables.findRun(lease.runId);
        const after = releaseLease(before, lease);
        if (before !== undefined && after !== undefined) tables.saveRun(before, after, []);
      });
    },
    async append(lease, events, handoffs = [], documents = []) {
      checkOpen();
      const records = toRecords(lease.runId, events);
      checkHandoffs(handoffs);
      const texts = documents.map((document) => ({ ...document, text: toDocumentText(document) }));
      const isSingle = records.length === 1 && handoffs.length === 0 && documents.length === 0;
      const only = isSingle ? records[0] : undefined;
      const appendTogether = (): true => {
        const before = tables.findRun(lease.runId);
        const after = append(before, lease, records);
        for (const document of documents) if (!isCurrent(tables, document)) throw explainChanged(document);
        for (const { kind, key, text, version } of texts) tables.saveDocument(kind, key, text, version + 1);
        if (records.length > 0) tables.saveRun(before ?? after, after, records);
        if (handoffs.length > 0) tables.saveHandoffs(lease.runId, handoffs);
        return true;
      };
      await tables.write(appendTogether, only && (() => tables.appendAlone(lease, only)));
      tables.wakeUps.wake(lease.runId);
    },
    async read(runId, fromSeq = 0, limit = Number.POSITIVE_INFINITY) {
      checkOpen();
      return tables.read(() => {
        const row = tables.findRun(runId);
        if (row === undefined) tables.confirmAbsence(runId);
        return row === undefined ? [] : tables.events(row, clampFirst(fromSeq), clampLimit(limit));
      });
    },
    async remove(runId) {
      checkOpen();
      return tables.write(() => {
        const before = tables.findRun(runId);
        const hasBegun = before?.status !== undefined;
        if (hasBegun) tables.removeRun(before, removeRun(before, clock.now()));
        tables.blobs.removeRun(runId);
        return hasBegun;
      });
    },
    async list(query = {}) {
      checkOpen();
      const now = clock.now();
      return tables.read(() => tables.runs(query)).flatMap((row): StoredRun | [] => toStoredRun(row, now) ?? []);
    },
  };
}

function createDocumentMethods<Row extends RunRow>(tables: Tables<Row>, checkOpen: () => void): DocumentMethods {
  return {
    async get(kind, key) {
      checkOpen();
      return tables.read(() => tables.findDocument(kind, key));
    },
    async put(kind, key, value, version) {
      checkOpen();
      const document = { kind, key, value, version };
      const text = toDocumentText(document);
      return tables.write(() => {
        if (!isCurrent(tables, document)) return false;
        tables.saveDocument(kind, key, text, version + 1);
        return true;
      });
    },
    async drop(kind, key) {
      checkOpen();
      return tables.write(() => {
        if (tables.findDocument(kind, key) === undefined) return false;
        tables.dropDocument(kind, key);
        return true;
      });
    },
    async kinds() {
      checkOpen();
      return tables.read(() => tables.kinds()).sort();
    },
    async documents(kind) {
      checkOpen();
      return tables.read(() => tables.documents(kind)).sort((a, b) => (a.key < b.key ? -1 : 1));
    },
  };
}

/** The JSON text of a document whose names can be stored. */
export function toDocumentText({ kind, key, value }: DocumentWrite): string {
  checkName(kind, "kind");
  checkName(key, "key");
  return toJson(value, (cause) => {
    return new BatonError("bad-document", `document '${key}' of kind '${kind}' is not plain JSON`, { cause });
  });
}

function isCurrent<Row extends RunRow>(tables: Tables<Row>, { kind, key, version }: DocumentWrite): boolean {
  return (tables.findDocument(kind, key)?.version ?? 0) === version;
}

export function explainChanged({ kind, key, version }: DocumentWrite): BatonError {
  return new BatonError(
    "document-changed",
    `document '${key}' of kind '${kind}' does not have version ${version} any more`,
  );
}

function createHandoffMethods<Row extends RunRow>(tables: Tables<Row>, checkOpen: () => void): HandoffMethods {
  return {
    async learn(runId, handoffs) {
      checkOpen();
      checkHandoffs(handoffs);
      return tables.write(() => {
        if (tables.findRun(runId) === undefined) throw explainUnknownRun(runId);
        tables.saveHandoffs(runId, handoffs);
      });
    },
    async stats(query = {}, limit = SHOWN_ROWS) {
      checkOpen();
      return tables.read(() => tables.stats(query, clampLimit(limit)));
    },
    async handoffs(query, limit) {
      checkOpen();
      return tables.read(() => tables.handoffs(query, clampLimit(limit)));
    },
    async forget(query) {
      checkOpen();
      return tables.write(() => tables.forget(query));
    },
  };
}

/** The default limit for loops, and for unmatched inputs. */
export const SHOWN_ROWS = 20;

export function clampLimit(limit: number): number {
  return Math.max(0, Math.trunc(Math.min(limit, Number.MAX_SAFE_INTEGER)) || 0);
}

export function checkHandoffs(handoffs: readonly HandoffRecord[]): void {
  for (const { crew, from = "", to, loop = "", unmatched = "", at, ms, costUsd = 0, seq } of handoffs) {
    for (const name of [crew, from, to, loop, unmatched]) checkName(name, "handoff");
    if (!Number.isSafeInteger(seq) || ![at, ms, costUsd].every(Number.isFinite))
      throw new BatonError("bad-handoff", `the handoff from '${from}' to '${to}' has a figure that cannot be stored`);
  }
}

function readTail<Row extends RunRow>(tables: Tables<Row>, runId: RunId, fromSeq: number): Tail {
  const row = tables.findRun(runId);
  return row === undefined
    ? { events: [], isAtRest: false }
    : { events: tables.events(row, fromSeq), isAtRest: isAtRest(row) };
}

/** Events are counted from 0, in whole numbers. */
export function clampFirst(fromSeq: number): number {
  return Math.max(0, Math.trunc(fromSeq) || 0);
}
