import { dirname, resolve } from "node:path";
import { BatonError } from "../vocabulary/errors.ts";
import type { ToolSet } from "../vocabulary/tool-set.ts";
import type { CrewFile } from "./crew-files.ts";
import { listOperations } from "./list-operations.ts";
import { type ToolSetKeys, toolSetShape } from "./tool-set-shape.ts";

const DEFAULT_MAX_KB = 1024;
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_OUTPUT_CHARS = 30_000;

/** The references to modules among a crew's tools. */
export function listToolModules({ keys }: CrewFile): (readonly [name: string, reference: string])[] {
  return [...keys.tools].flatMap(([name, tool]) => (typeof tool === "string" ? [[name, tool] as const] : []));
}

export function listToolSetKeys({ keys }: CrewFile): (readonly [name: string, keys: ToolSetKeys])[] {
  return [...keys.tools].flatMap(([name, tool]) => (typeof tool === "string" ? [] : [[name, tool] as const]));
}

/** The tools of a crew that are declared in sets, with those that the caller allows besides. */
export function buildToolSets(
  crewFile: CrewFile,
  root: string,
  allowed: ReadonlyMap<string, ToolSet>,
): ReadonlyMap<string, ToolSet> {
  const own = listToolSetKeys(crewFile).flatMap(([name, keys]): [string, ToolSet][] => {
    const set = buildToolSet(keys, dirname(crewFile.file), root);
    return set === undefined ? [] : [[name, set]];
  });
  return new Map([...allowed, ...own]);
}

function buildToolSet(keys: ToolSetKeys, folder: string, root: string): ToolSet | undefined {
  const own = keys.root === undefined ? root : resolve(folder, keys.root);
  const maxBytes = (keys.max_file_kb ?? DEFAULT_MAX_KB) * 1024;
  if (keys.openapi !== undefined) {
    const file = resolve(folder, keys.openapi);
    const found = listOperations(file, root);
    const operations = "problem" in found ? [] : found.operations;
    const wanted = keys.only.length === 0 ? operations : operations.filter((each) => keys.only.includes(each));
    return {
      ...{ type: "openapi", file, operations: wanted, authEnv: keys.auth_env, server: keys.server },
      needsApproval: keys.approval ?? false,
    };
  }
  switch (keys.builtin) {
    case "files":
      return {
        type: "files",
        root: own,
        canWrite: keys.write ?? false,
        needsApproval: keys.approval ?? false,
        maxBytes,
      };
    case "shell":
      return {
        ...{ type: "shell", folder: own, programs: keys.programs ?? [], hasShell: keys.shell ?? false },
        ...{ needsApproval: keys.approval ?? true, env: keys.env ?? [] },
        timeoutMs: keys.timeout ?? DEFAULT_TIMEOUT_MS,
        maxOutputChars: keys.max_output_chars ?? DEFAULT_OUTPUT_CHARS,
      };
    case "web":
      return { type: "web", hosts: keys.allow ?? [], isPrivate: keys.private ?? false, maxBytes };
    case "todo":
      return { type: "todo" };
    case undefined:
      return undefined;
  }
}

/**
 * The tools that a caller allows the agents of a crew besides those of its files. Folders are relative to the working directory.
 * Throws a `BatonError` with the code `bad-option`: no file of the crew is wrong.
 */
export function readAllowance({
  allow = "",
  workingDirectory,
}: {
  readonly allow?: string | undefined;
  readonly workingDirectory: string;
}): ReadonlyMap<string, ToolSet> {
  const keys = new Map<string, Partial<ToolSetKeys>>();
  for (const each of allow.split(",").map((part) => part.trim())) {
    const [kind = "", ...rest] = each.split(":");
    const problem = each === "" ? undefined : addAllowed(kind, rest.join(":"), keys);
    if (problem !== undefined) throw new BatonError("bad-option", `'${each}' cannot be allowed: ${problem}`);
  }
  return new Map(
    [...keys].flatMap(([name, of]): [string, ToolSet][] => {
      const set = buildToolSet({ ...toolSetShape.absent, ...of }, workingDirectory, workingDirectory);
      return set === undefined ? [] : [[name, set]];
    }),
  );
}

const FORMS = "write files:<folder>, write:<folder>, shell:<program>, web:<host> or todo";

/** The same with folders that hold wherever the run continues. */
export function placeAllowance(allow: string, workingDirectory: string): string {
  const place = (each: string) => {
    const [, kind, folder] = /^(files|write):(.+)$/.exec(each.trim()) ?? [];
    return folder === undefined ? each.trim() : `${kind}:${resolve(workingDirectory, folder)}`;
  };
  return allow.split(",").map(place).join(",");
}

/** Adds what one word allows; returns what is wrong with it. */
function addAllowed(kind: string, value: string, keys: Map<string, Partial<ToolSetKeys>>): string | undefined {
  if (kind === "todo" && value === "") keys.set("todo", { builtin: "todo" });
  else if (value === "") return FORMS;
  else if (kind === "files" || kind === "write") {
    const other = keys.get("files")?.root;
    if (other !== undefined && other !== value) return `only one folder can be allowed, and '${other}' is already`;
    keys.set("files", { builtin: "files", root: value, write: kind === "write" || keys.get("files")?.write === true });
  } else if (kind === "shell")
    keys.set("shell", { builtin: "shell", programs: [...(keys.get("shell")?.programs ?? []), value] });
  else if (kind === "web") keys.set("web", { builtin: "web", allow: [...(keys.get("web")?.allow ?? []), value] });
  else return FORMS;
  return undefined;
}
