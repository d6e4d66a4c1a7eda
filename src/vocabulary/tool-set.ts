/** Tools that Baton brings itself, or makes of the description of an HTTP API, declared in a crew's `tools`. */
export type ToolSet = FileTools | ShellTools | WebTools | TodoTools | ApiTools;

/** Reads files below a folder, and writes them if `canWrite`. */
export interface FileTools {
  readonly type: "files";
  readonly root: string;
  readonly canWrite: boolean;
  readonly needsApproval: boolean;
  readonly maxBytes: number;
}

/** Starts programs of a list in a folder; with `hasShell` any command line. */
export interface ShellTools {
  readonly type: "shell";
  readonly folder: string;
  readonly programs: readonly string[];
  readonly hasShell: boolean;
  readonly needsApproval: boolean;
  /** The names of environment variables that programs get besides the usual ones. */
  readonly env: readonly string[];
  readonly timeoutMs: number;
  readonly maxOutputChars: number;
}

/** Fetches pages of the hosts in a list; `*.example.org` stands for all below it. */
export interface WebTools {
  readonly type: "web";
  readonly hosts: readonly string[];
  /** Whether addresses of private networks and of this machine are allowed. */
  readonly isPrivate: boolean;
  readonly maxBytes: number;
}

/** A plan that all agents of a run share. */
export interface TodoTools {
  readonly type: "todo";
}

/** The operations of an HTTP API that an OpenAPI file describes. */
export interface ApiTools {
  readonly type: "openapi";
  readonly file: string;
  readonly operations: readonly string[];
  /** The environment variable that holds the token or key. */
  readonly authEnv: string | undefined;
  /** The address of the API, in place of the first of the file's `servers`. */
  readonly server: string | undefined;
  readonly needsApproval: boolean;
}

type ToolSets = ReadonlyMap<string, ToolSet> | undefined;

/** The names that a set gives its tools, which agents call `<set>__<name>`. */
export function listSetTools(set: ToolSet): readonly string[] {
  switch (set.type) {
    case "files":
      return ["read", "list", "grep", "glob", ...(set.canWrite ? ["write", "edit"] : [])];
    case "shell":
      return ["run"];
    case "web":
      return ["fetch"];
    case "todo":
      return ["write", "read"];
    case "openapi":
      return set.operations;
  }
}

/** The set that a tool's name belongs to, and the tool's name in it; undefined for tools of no set. */
export function findSetTool(
  sets: ToolSets,
  name: string,
): { readonly set: ToolSet; readonly tool: string } | undefined {
  if (sets === undefined) return undefined;
  for (let at = name.indexOf("__"); at !== -1; at = name.indexOf("__", at + 1)) {
    const set = sets.get(name.slice(0, at));
    const tool = name.slice(at + 2);
    if (set !== undefined && listSetTools(set).includes(tool)) return { set, tool };
  }
  return undefined;
}

/** Whether a tool is part of the run itself, and acts on nothing outside it. */
export function isTodoTool(sets: ToolSets, name: string): boolean {
  return findSetTool(sets, name)?.set.type === "todo";
}

/** Whether a human approves each call of a tool of a set, before anybody said otherwise. */
export function needsApproval(set: ToolSet, tool: string): boolean {
  switch (set.type) {
    case "files":
      return set.needsApproval && (tool === "write" || tool === "edit");
    case "shell":
    case "openapi":
      return set.needsApproval;
    case "web":
    case "todo":
      return false;
  }
}

const METHODS: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "patch", "head", "options"]);

/** Whether a key below a path of an OpenAPI file is an operation. */
export function isMethod(key: string): boolean {
  return METHODS.has(key);
}

/** The name of an operation: its id, or its method and path, in characters that providers of models accept. */
export function nameOperation(id: unknown, method: string, path: string): string {
  const name = typeof id === "string" && id !== "" ? id : `${method}_${path}`;
  return name.replaceAll(/[^\w-]+/g, "_").replaceAll(/^_+|_+$/g, "");
}

/** The folder or file that a set uses, which must be in the project. */
export function findSetPath(set: ToolSet): string | undefined {
  switch (set.type) {
    case "files":
      return set.root;
    case "shell":
      return set.folder;
    case "openapi":
      return set.file;
    case "web":
    case "todo":
      return undefined;
  }
}
