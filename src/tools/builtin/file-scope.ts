import { constants, type Dirent } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Folders whose content is nobody's text: the store of runs, version control, packages. */
const SKIPPED: ReadonlySet<string> = new Set([".baton", ".git", "node_modules"]);

/** A path below the folder, links followed. It throws where the path leaves the folder, or is one that no agent gets. */
export async function resolveBelow(root: string, path: string): Promise<string> {
  const real = await realpath(root);
  const wanted = resolve(real, path);
  refuse(real, wanted, path);
  const found = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" || error.code === "ENOTDIR" ? new Error(`'${path}' does not exist`) : error;
  });
  refuse(real, found, path);
  return found;
}

function refuse(root: string, wanted: string, path: string): void {
  const way = relative(root, wanted);
  const parts = way.split(sep);
  if (way === ".." || parts[0] === ".." || isAbsolute(way) || path.includes("\0"))
    throw new Error(`'${path}' is outside the folder that may be used`);
  const secret = parts.find((part) => part === ".baton" || /^\.env(?:\.|$)/.test(part));
  if (secret !== undefined) throw new Error(`'${path}' may hold secrets or runs, and is not given to agents`);
}

/** Reads a regular file of bounded size. A link that appears after the path was looked up is not followed. */
async function readBelow(root: string, path: string, maxBytes: number): Promise<Buffer> {
  const file = await resolveBelow(root, path);
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw new Error(`'${path}' is not a file`);
    if (status.size > maxBytes) throw new Error(`'${path}' has ${status.size} bytes; at most ${maxBytes} can be read`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Reads a file as text. */
export async function readTextBelow(root: string, path: string, maxBytes: number): Promise<string> {
  const bytes = await readBelow(root, path, maxBytes);
  if (bytes.includes(0)) throw new Error(`'${path}' is not text`);
  return bytes.toString("utf8");
}

/** Writes a file as a whole or not at all: beside the place, then into it. Missing folders below the root are made. */
export async function writeBelow(root: string, path: string, text: string, maxBytes: number): Promise<void> {
  const bytes = Buffer.from(text);
  if (bytes.byteLength > maxBytes)
    throw new Error(`the text has ${bytes.byteLength} bytes; at most ${maxBytes} can be written`);
  const real = await realpath(root);
  const wanted = resolve(real, path);
  refuse(real, wanted, path);
  if (wanted === real) throw new Error(`'${path}' is the folder itself`);
  if (relative(real, wanted).split(sep).includes(".git")) throw new Error(`'${path}' belongs to version control`);
  const folder = await createFolder(real, dirname(wanted), path);
  const target = join(folder, basename(wanted));
  const status = await lstat(target).catch(() => undefined);
  if (status?.isSymbolicLink()) throw new Error(`'${path}' is a link; write to the file that it names`);
  if (status !== undefined && !status.isFile()) throw new Error(`'${path}' is not a file`);
  const draft = join(folder, `.${basename(wanted)}.${process.pid}.${performance.now()}.new`);
  try {
    const handle = await open(draft, "wx", status?.mode ?? 0o644);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Makes the folders that are missing, one after the other, so that a link among those that are there leads nowhere else. */
async function createFolder(root: string, folder: string, path: string): Promise<string> {
  let at = root;
  for (const part of relative(root, folder).split(sep)) {
    if (part === "") continue;
    const next = join(at, part);
    await mkdir(next).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    at = await realpath(next);
    refuse(root, at, path);
  }
  return at;
}

/** The files below a folder as paths relative to the root, in order; links are not followed. */
export async function* walkBelow(root: string, path: string, signal: AbortSignal): AsyncGenerator<string> {
  const real = await realpath(root);
  const pending = [await resolveBelow(root, path)];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) if (entry.isFile() && !isHidden(entry)) yield relative(real, join(folder, entry.name));
    const folders = entries.filter((entry) => entry.isDirectory() && !isHidden(entry));
    pending.push(...folders.map((entry) => join(folder, entry.name)).reverse());
  }
}

/** The entries of one folder; folders end in a slash. */
export async function listBelow(root: string, path: string): Promise<string[]> {
  const entries = await readdir(await resolveBelow(root, path), { withFileTypes: true });
  const shown = entries.filter((entry) => !isHidden(entry));
  return shown.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
}

function isHidden({ name }: Dirent): boolean {
  return SKIPPED.has(name) || /^\.env(?:\.|$)/.test(name);
}
