import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopSharedServer } from "./postgres-server.ts";

/** Whatever the tests write, they write into one folder, which is gone when they are over. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "baton-tests-"));
  Object.assign(process.env, { TMPDIR: folder });
  return () => {
    stopSharedServer(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
