import type { ToolSet } from "../../vocabulary/tool-set.ts";

type Kind = ToolSet["type"];

/** The names that Claude Code, Copilot and opencode give their own tools, by the tools of Baton that do the same. */
const products: readonly (readonly [kind: Kind, tools: readonly string[], names: readonly string[]])[] = [
  ["files", ["read"], ["Read", "NotebookRead", "read", "view", "readFile", "read/readFile", "read_file"]],
  ["files", ["list"], ["LS", "list", "listDirectory", "search/listDirectory", "list_dir"]],
  ["files", ["grep"], ["Grep", "grep", "textSearch", "search/textSearch", "grep_search"]],
  ["files", ["grep", "glob"], ["search", "codebase", "search/codebase", "findTestFiles"]],
  ["files", ["glob"], ["Glob", "glob", "fileSearch", "search/fileSearch", "file_search"]],
  ["files", ["write"], ["Write", "write", "create", "createFile", "edit/createFile", "new", "create_file"]],
  ["files", ["edit"], ["Edit", "MultiEdit", "multiedit", "patch", "apply_patch", "NotebookEdit"]],
  ["files", ["edit", "write"], ["edit", "editFiles", "edit/editFiles"]],
  ["shell", ["run"], ["Bash", "bash", "shell", "execute", "terminal", "runCommands", "runInTerminal"]],
  ["shell", ["run"], ["execute/runInTerminal", "runCommands/runInTerminal", "run_in_terminal", "runTasks", "runTests"]],
  ["web", ["fetch"], ["WebFetch", "webfetch", "fetch", "web", "web/fetch", "openSimpleBrowser"]],
  ["todo", ["write"], ["TodoWrite", "todowrite", "manage_todo_list"]],
  ["todo", ["read"], ["TodoRead", "todoread"]],
  ["todo", ["write", "read"], ["todo", "todos"]],
];

const byName = new Map(
  products.flatMap(([kind, tools, names]) => names.map((name) => [name, { kind, tools }] as const)),
);

/** The tools that stand for a tool of a product, as pairs of a kind of set and a tool in it. */
export function findProductTools(name: string): { readonly kind: Kind; readonly tools: readonly string[] } | undefined {
  // `Bash(git *)` is a tool with a rule of the product. What may be done here is said where the tools are declared.
  return byName.get(name.replace(/\(.*\)$/s, ""));
}
