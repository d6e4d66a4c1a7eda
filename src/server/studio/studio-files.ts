import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { BatonError } from "../../vocabulary/errors.ts";

/** A file of the page, as it is sent. */
interface StudioFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same, compressed, for browsers that take it. */
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
  /** Whether its name changes with its content, so that it never has to be asked for again. */
  readonly isImmutable: boolean;
}

export type StudioFiles = ReadonlyMap<string, StudioFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Reads the built page into memory. A request finds its file by name in this list, or finds nothing: no path of a request ever
 * reaches the disk.
 */
export function readStudioFiles(folder: string): StudioFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in types)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return new Map(names.map((name) => [name, readStudioFile(folder, name)]));
}

/** The folder of the built page: beside the program, in the package as in a checkout. */
export function findStudioFolder(): string {
  let at = import.meta.dirname;
  while (at !== dirname(at)) {
    const folder = join(at, "dist/studio");
    // Both parts of the build: the page, and that of exported runs.
    if (["index.html", "export/export.js"].every((file) => existsSync(join(folder, file)))) return folder;
    at = dirname(at);
  }
  throw new BatonError("studio-not-built", "the studio's page is not built; in a checkout, build it: npm run build");
}

function readStudioFile(folder: string, name: string): StudioFile {
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return {
    bytes,
    gzipped: new Uint8Array(gzipSync(bytes)),
    type: types[extname(name)] ?? "application/octet-stream",
    etag: `"${hash}"`,
    isImmutable: name.startsWith("assets/"),
  };
}
