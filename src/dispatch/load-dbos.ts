import { BatonError } from "../vocabulary/errors.ts";

export type Dbos = typeof import("@dbos-inc/dbos-sdk");
export type DispatchClient = import("@dbos-inc/dbos-sdk").DBOSClient;

/** Imports DBOS, which only those have who use several machines. */
export async function loadDbos(): Promise<Dbos> {
  try {
    return await import("@dbos-inc/dbos-sdk");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message =
      "sharing runs among workers needs the package @dbos-inc/dbos-sdk, which is not installed: npm install @dbos-inc/dbos-sdk@5";
    throw new BatonError("missing-package", message, { cause: error });
  }
}
