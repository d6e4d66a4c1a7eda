import { createHash } from "node:crypto";
import { BatonError } from "../vocabulary/errors.ts";
import { checkName } from "./check-name.ts";
import type { RunRow } from "./run-row.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Bytes by the hash of their content, which is checked whenever they are read. */
export function createBlobMethods<Row extends RunRow>(
  { blobs, read, write }: Tables<Row>,
  checkOpen: () => void,
): Pick<Store, "saveBlob" | "readBlob" | "listBlobs"> {
  return {
    async saveBlob(runId, bytes) {
      checkOpen();
      checkName(runId, "run");
      const copy = Uint8Array.from(bytes);
      const sha256 = hashBytes(copy);
      await write(() => blobs.save(runId, sha256, copy));
      return sha256;
    },
    async readBlob(sha256) {
      checkOpen();
      // A hash may become the name of a file.
      if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
      const bytes = read(() => blobs.find(sha256));
      if (bytes === undefined || hashBytes(bytes) === sha256) return bytes;
      throw new BatonError("store-damaged", `the stored bytes ${sha256} no longer have that hash: they were changed`);
    },
    async listBlobs(runId) {
      checkOpen();
      return read(() => blobs.list(runId)).sort();
    },
  };
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
