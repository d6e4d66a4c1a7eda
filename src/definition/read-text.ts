import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { DiagnosticCode } from "../vocabulary/diagnostic.ts";

const MAX_FILE_BYTES = 256 * 1024;

/** What may be in a file of replies or a scenario: the words of a whole run, where a crew's files hold prompts. */
export const MAX_REPLIES_BYTES = 16 * 1024 * 1024;

export type TextResult = { readonly text: string } | { readonly problem: FileProblem };

export interface FileProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
}

/** Reads a file as text if it is a regular UTF-8 file of bounded size inside `root`; never waits on a pipe or a device. */
export function readText(file: string, root: string, maxBytes: number = MAX_FILE_BYTES): TextResult {
  const real = resolveInside(file, root);
  if ("problem" in real) return real;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(real.path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) return problem("unreadable", "is not a regular file");
    if (status.size > maxBytes) {
      return problem("too-large", `is ${status.size} bytes; a file may have at most ${maxBytes}`);
    }
    return decode(readFileSync(descriptor), maxBytes);
  } catch (error) {
    return problem("unreadable", `cannot be read: ${describeReason(error)}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The real path of `path`, links followed, if it exists and does not leave `root`. */
export function resolveInside(
  path: string,
  root: string,
): { readonly path: string } | { readonly problem: FileProblem } {
  const outside = problem("outside-root", `is outside the project root ${root}`);
  if (!isInside(path, root)) return outside;
  try {
    const real = realpathSync.native(path);
    return isInside(real, realpathSync.native(root)) ? { path: real } : outside;
  } catch (error) {
    return isMissing(error)
      ? problem("not-found", "does not exist")
      : problem("unreadable", `cannot be read: ${describeReason(error)}`);
  }
}

/** Why nothing can be started in this folder; undefined if it is a folder of the project. */
export function findFolderProblem(path: string, root: string): FileProblem | undefined {
  const found = resolveInside(path, root);
  if ("problem" in found) return found.problem;
  return statSync(found.path).isDirectory() ? undefined : { code: "unreadable", message: "is not a folder" };
}

export function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function decode(bytes: Buffer, maxBytes: number): TextResult {
  if (bytes.length > maxBytes) return problem("too-large", `is larger than ${maxBytes} bytes`);
  if (bytes.includes(0))
    return problem("not-utf8", "contains NUL bytes: save it as UTF-8 text (is it UTF-16, or binary?)");
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return problem("not-utf8", "is not valid UTF-8: save it as UTF-8 text");
  }
}

function problem(code: DiagnosticCode, message: string): { readonly problem: FileProblem } {
  return { problem: { code, message } };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function describeReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
