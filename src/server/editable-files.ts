import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isInside } from "../definition/read-text.ts";
import { Refusal } from "./problem.ts";

/** What the files of a crew are; code is changed by other means. */
const TEXTS = /\.(?:ya?ml|md|ai|json|txt)$/;
const MAX_FILE = 256 * 1024;

/** A file of a crew, by its path in the crew's folder. */
export interface CrewFile {
  readonly text: string;
  /** Changes when the file does. */
  readonly etag: string;
}

/** The folder of a crew, from its path. */
export function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}

/** The files of a crew that can be read and written. */
export function listCrewFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter(isAllowed)
    .sort();
}

/** Undefined if there is no such file. */
export function readCrewFile(folder: string, path: string): CrewFile | undefined {
  const file = locate(folder, path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size > MAX_FILE) throw refuse(path);
  const text = readFileSync(file, "utf8");
  return { text, etag: `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"` };
}

/** Replaces a file if it still is what the caller knows: its ETag, or `undefined` for a new file. */
export function writeCrewFile(folder: string, path: string, text: string, known: string | undefined): CrewFile {
  const before = readCrewFile(folder, path);
  if (before?.etag !== known)
    throw new Refusal(
      "file-changed",
      `'${path}' is not what you know of it: read it again, and send its ETag as If-Match`,
    );
  const file = locate(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${crypto.randomUUID()}.new`;
  writeFileSync(draft, text, { flag: "wx" });
  renameSync(draft, file);
  return { text, etag: readCrewFile(folder, path)?.etag ?? "" };
}

/** Where a file is. Neither names that lead out of the folder nor links do. */
export function locate(folder: string, path: string): string {
  if (!isAllowed(path)) throw refuse(path);
  const file = join(folder, path);
  if (!isInside(file, folder)) throw refuse(path);
  for (let at = dirname(file); isInside(at, folder) && at !== folder; at = dirname(at))
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) throw refuse(path);
  return file;
}

/** Whether a path is that of a text that can be read and written. */
export function isAllowed(path: string): boolean {
  const parts = path.split("/");
  const isPlain = parts.every((part) => part !== "" && !part.startsWith(".") && part !== "node_modules");
  return isPlain && TEXTS.test(path) && !/[\0\\]/.test(path);
}

function refuse(path: string): Refusal {
  return new Refusal(
    "bad-request",
    `'${path}' is not a file of a crew: those are .yaml, .md, .ai, .json and .txt in its folder`,
  );
}
