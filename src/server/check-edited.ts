import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { checkCrew } from "../definition/check-crew.ts";
import { findMarkedFolder } from "../definition/find-crew.ts";
import { isInside } from "../definition/read-text.ts";
import { buildDrawing } from "../flow/crew-drawing.ts";
import { buildGraph } from "../flow/crew-graph.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { folderOf, isAllowed, locate } from "./editable-files.ts";
import { graphToJson } from "./graph-to-json.ts";

/** A project with more files is not copied; then only the crew's own folder is. */
const MOST_FILES = 500;

/** What checking finds in a crew as it would be with other files, which are not stored. */
export function checkEdited(
  path: string,
  files: Readonly<Record<string, string>>,
): { readonly diagnostics: readonly unknown[]; readonly graph?: unknown } {
  const folder = folderOf(path);
  const copied = findCopied(folder);
  const draft = realpathSync(mkdtempSync(join(tmpdir(), "baton-check-")));
  try {
    copyTexts(copied, draft);
    const own = join(draft, relative(copied, folder));
    for (const [name, text] of Object.entries(files)) {
      const file = locate(own, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const loaded = checkCrew(join(draft, relative(copied, path)), { workingDirectory: own, root: draft });
    const diagnostics = loaded.diagnostics.map((each) => withoutFolder(withoutFolder(each, own), draft));
    return {
      diagnostics,
      ...(loaded.crew !== undefined && { graph: graphToJson(buildDrawing(buildGraph(loaded.crew))) }),
    };
  } finally {
    rmSync(draft, { recursive: true });
  }
}

/** What is wrong with a crew, with places in its own folder. */
export function withoutFolder<Found extends Pick<Diagnostic, "file" | "message">>(found: Found, folder: string): Found {
  const { file, message } = found;
  const own = isInside(file, folder) ? relative(folder, file) : file;
  return { ...found, file: own, message: message.replaceAll(`${folder}/`, "").replaceAll(folder, ".") };
}

/** The project of a crew, which may refer to crews beside it; or its own folder, where the project is large. */
function findCopied(folder: string): string {
  const project = findMarkedFolder(folder);
  return project === undefined || listTexts(project).length > MOST_FILES ? folder : project;
}

function copyTexts(from: string, to: string): void {
  for (const name of listTexts(from)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    cpSync(join(from, name), join(to, name));
  }
}

/** The files of a folder that a crew may be made of. It stops where there are more than are copied. */
function listTexts(folder: string): string[] {
  const found: string[] = [];
  const folders = [""];
  for (const at of folders) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".")) folders.push(path);
      else if (entry.isFile() && isAllowed(path)) found.push(path);
    }
    if (found.length + folders.length > MOST_FILES) break;
  }
  return found;
}
