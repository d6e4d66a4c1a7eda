import type { ClientBase } from "pg";
import type { EventRecord } from "./event-record.ts";
import type { HandoffRecord } from "./handoff-record.ts";
import { planAppends } from "./postgres-append-plan.ts";
import { buildAppend } from "./postgres-append-statement.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { saveDocument } from "./postgres-documents.ts";
import { lockRun, type PostgresRun } from "./postgres-runs.ts";
import type { DocumentWrite, Lease } from "./store.ts";
import { explainChanged, toDocumentText } from "./table-store.ts";

/** An append that writes documents, too. */
export interface AppendWithDocuments {
  readonly lease: Lease;
  readonly records: readonly EventRecord[];
  readonly handoffs: readonly HandoffRecord[];
  readonly documents: readonly DocumentWrite[];
  /** Called in the transaction, after all else. */
  readonly within?: ((client: ClientBase) => Promise<void>) | undefined;
}

/** Writes all of it or nothing, in a transaction of its own. Resolves to the run's row as it is then. */
export async function appendWithDocuments(
  { schema, transact }: PostgresDatabase,
  { lease, records, handoffs, documents, within }: AppendWithDocuments,
  clock: number | null,
  until: number | undefined,
): Promise<PostgresRun | undefined> {
  const texts = documents.map((document) => ({
    ...document,
    text: toDocumentText(document),
    writer: crypto.randomUUID(),
  }));
  // If the connection is lost, the row shows whether it was done before.
  let decided: PostgresRun | undefined;
  return transact(async (query, client) => {
    const row = await lockRun(query, schema, lease.runId);
    if (decided !== undefined && isAsDecided(row, decided)) return decided;
    const write = { lease, records, handoffs, until: 0, resolve: () => {}, reject: () => {} };
    const { entries, refused } = planAppends([write], new Map(row === undefined ? [] : [[row.runId, row]]), false);
    for (const [, refusal] of refused) throw refusal;
    for (const document of texts) if (!(await saveDocument(query, schema, document))) throw explainChanged(document);
    await query(buildAppend(schema, entries, clock));
    await within?.(client);
    decided = entries[0]?.after;
    return decided;
  }, until);
}

/** Nobody else writes with the lease, so a row with this length and checksum was written by this process. */
export function isAsDecided(row: PostgresRun | undefined, after: PostgresRun): boolean {
  return (
    row?.epoch === after.epoch && row.owner === after.owner && row.events === after.events && row.chain === after.chain
  );
}
