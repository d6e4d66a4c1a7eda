import { compileRegex } from "../../regex/compile-regex.ts";
import type { FileTools } from "../../vocabulary/tool-set.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { listBelow, readTextBelow, resolveBelow, walkBelow, writeBelow } from "./file-scope.ts";
import { compileGlob } from "./match-glob.ts";

/** How many lines, paths or matches one call gives, and how much of a line. */
const MAX_LINES = 2000;
const MAX_FOUND = 500;
const MAX_LINE_CHARS = 1000;
/** How many files a search looks at. */
const MAX_FILES = 20_000;

const path = { type: "string", description: "The path, relative to the folder that may be used." };
const folder = { type: "string", description: "The folder to look in; all of it when absent." };

/** The tools of a set of files, by their name in it. */
export const fileTools: Readonly<Record<string, (name: string, set: FileTools) => Tool>> = {
  read: (name, set) =>
    defineTool({
      name,
      description: "Reads a text file, with numbers before its lines.",
      parameters: describeObject({ path, offset: positive("The first line."), limit: positive("How many lines.") }, [
        "path",
      ]),
      effect: "read",
      execute: async (args: Readonly<{ path: string; offset?: number; limit?: number }>) => {
        const lines = splitLines(await readTextBelow(set.root, args.path, set.maxBytes));
        const first = (args.offset ?? 1) - 1;
        const shown = lines.slice(first, first + Math.min(args.limit ?? MAX_LINES, MAX_LINES));
        const numbered = shown.map((line, index) => `${String(first + index + 1).padStart(6)}\t${cutLine(line)}`);
        const rest = lines.length - first - shown.length;
        return [
          ...numbered,
          ...(rest > 0 ? [`[${rest} more lines; read on with offset ${first + shown.length + 1}]`] : []),
        ].join("\n");
      },
    }),
  list: (name, set) =>
    defineTool({
      name,
      description: "Lists the files and folders in a folder; folders end in a slash.",
      parameters: describeObject({ path: folder }),
      effect: "read",
      execute: async (args: Readonly<{ path?: string }>) =>
        joinFound(await listBelow(set.root, args.path ?? "."), "empty"),
    }),
  glob: (name, set) =>
    defineTool({
      name,
      description: "Finds files by a pattern of their paths, such as **/*.ts.",
      parameters: describeObject(
        { pattern: { type: "string", description: "`*`, `**`, `?` and `{a,b}`." }, path: folder },
        ["pattern"],
      ),
      effect: "read",
      execute: (args: Readonly<{ pattern: string; path?: string }>, context) => findFiles(set, args, context),
    }),
  grep: (name, set) =>
    defineTool({
      name,
      description: "Searches text files for a regular expression and gives path, number and text of each line found.",
      parameters: describeObject(
        {
          pattern: { type: "string", description: "A regular expression without look-around and back references." },
          path: folder,
          glob: { type: "string", description: "Only files whose path fits, such as *.md." },
          ignore_case: { type: "boolean" },
        },
        ["pattern"],
      ),
      effect: "read",
      execute: (args: SearchArguments, context) => searchFiles(set, args, context),
    }),
  write: (name, set) =>
    defineTool({
      name,
      description: "Writes a text file, in place of what was there. Missing folders are made.",
      parameters: describeObject({ path, content: { type: "string" } }, ["path", "content"]),
      // The same text written again leaves the same file.
      effect: "idempotent",
      sequential: true,
      needsApproval: set.needsApproval,
      execute: async (args: Readonly<{ path: string; content: string }>) => {
        await writeBelow(set.root, args.path, args.content, set.maxBytes);
        return `wrote ${Buffer.byteLength(args.content)} bytes to ${args.path}`;
      },
    }),
  edit: (name, set) =>
    defineTool({
      name,
      description:
        "Replaces a text in a file by another. The old text must be there to the letter, and once, unless `all` is set.",
      parameters: describeObject({ path, old: { type: "string" }, new: { type: "string" }, all: { type: "boolean" } }, [
        "path",
        "old",
        "new",
      ]),
      effect: "idempotent",
      sequential: true,
      needsApproval: set.needsApproval,
      execute: (args: EditArguments, context) => editFile(set, args, context),
    }),
};

type SearchArguments = Readonly<{ pattern: string; path?: string; glob?: string; ignore_case?: boolean }>;
type EditArguments = Readonly<{ path: string; old: string; new: string; all?: boolean }>;

async function findFiles(
  { root }: FileTools,
  args: Readonly<{ pattern: string; path?: string }>,
  { signal }: ToolContext,
): Promise<string> {
  const fits = compileGlob(args.pattern);
  const found: string[] = [];
  let looked = 0;
  for await (const file of walkBelow(root, args.path ?? ".", signal)) {
    if (++looked > MAX_FILES) return joinFound([...found, `[stopped after ${MAX_FILES} files]`], "");
    if (fits(file)) found.push(file);
  }
  return joinFound(found, `no file fits ${args.pattern}`);
}

async function searchFiles(set: FileTools, args: SearchArguments, { signal }: ToolContext): Promise<string> {
  const isFound = compileSearch(args);
  const fits = args.glob === undefined ? () => true : compileGlob(args.glob);
  const start = args.path ?? ".";
  await resolveBelow(set.root, start);
  const found: string[] = [];
  let looked = 0;
  for await (const file of (await isText(set, start)) ? [start] : walkBelow(set.root, start, signal)) {
    signal.throwIfAborted();
    if (++looked > MAX_FILES) return joinFound([...found, `[stopped after ${MAX_FILES} files]`], "");
    // What is too large or no text is not searched, as grep itself does.
    const text = fits(file) ? await readTextBelow(set.root, file, set.maxBytes).catch(() => "") : "";
    for (const [index, line] of splitLines(text).entries())
      if (isFound(line)) found.push(`${file}:${index + 1}:${cutLine(line)}`);
    if (found.length > MAX_FOUND) return joinFound(found, "");
  }
  return joinFound(found, "no line found");
}

function compileSearch({ pattern, ignore_case: ignoreCase = false }: SearchArguments): (line: string) => boolean {
  const lower = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const regex = compileRegex(lower(pattern));
  if ("problem" in regex) throw new Error(`the pattern cannot be used: it ${regex.problem}`);
  return (line) => regex.test(lower(line.slice(0, MAX_LINE_CHARS)));
}

function isText({ root, maxBytes }: FileTools, file: string): Promise<boolean> {
  return readTextBelow(root, file, maxBytes).then(
    () => true,
    () => false,
  );
}

async function editFile(set: FileTools, args: EditArguments, { attempt }: ToolContext): Promise<string> {
  const text = await readTextBelow(set.root, args.path, set.maxBytes);
  if (args.old === "") throw new Error("'old' is empty: say which text to replace, or write the whole file");
  const count = text.split(args.old).length - 1;
  // A process may have died between the edit and its record.
  const isDone = attempt > 1 && count === 0 && text.includes(args.new);
  if (isDone) return `replaced the text in ${args.path}`;
  if (count === 0)
    throw new Error(`${args.path} does not have the text 'old': read the file and give it to the letter`);
  if (count > 1 && args.all !== true)
    throw new Error(`${args.path} has the text ${count} times: give more of what is around it, or set 'all'`);
  await writeBelow(set.root, args.path, text.split(args.old).join(args.new), set.maxBytes);
  return `replaced ${count === 1 ? "the text" : `${count} texts`} in ${args.path}`;
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function cutLine(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
}

function joinFound(found: readonly string[], none: string): string {
  if (found.length === 0) return none;
  const shown = found.slice(0, MAX_FOUND);
  return [...shown, ...(found.length > shown.length ? [`[more than ${MAX_FOUND}; search for less]`] : [])].join("\n");
}

function positive(description: string) {
  return { type: "integer", minimum: 1, description };
}

export function describeObject(properties: object, required: readonly string[] = []) {
  return { type: "object", properties, required, additionalProperties: false };
}
