import { fields, optional, withDefault } from "./fields.ts";
import { duration, flag, integer, text, webAddress, word } from "./scalar-shapes.ts";
import { choice, list, type ValueOf } from "./shape.ts";

/** Several tools that are declared together: Baton's own, or the operations of an HTTP API. */
export const toolSetShape = fields({
  builtin: optional(choice("files", "shell", "web", "todo"), "Baton's own tools: files, shell, web or todo"),
  openapi: optional(text, "an OpenAPI file whose operations are the tools, `./crm.yaml`"),
  root: optional(text, "for files and shell: the folder that they do not leave; the project root when absent"),
  write: optional(flag, "for files: whether files may be written; false when absent"),
  max_file_kb: optional(
    integer({ min: 1, max: 65_536 }),
    "for files and web: the largest file or page; 1024 when absent",
  ),
  programs: optional(list(word), "for shell: the programs that may be started"),
  shell: optional(flag, "for shell: whether whole command lines are given to /bin/sh; false when absent"),
  env: optional(list(word), "for shell: environment variables that programs get besides PATH, HOME, LANG and TMPDIR"),
  timeout: optional(duration, "for shell: the longest that a program may run; 2m when absent"),
  max_output_chars: optional(
    integer({ min: 100 }),
    "for shell: how much of a program's output is given; 30000 when absent",
  ),
  allow: optional(list(word), "for web: the hosts that may be fetched from, `docs.example.org` or `*.example.org`"),
  private: optional(flag, "for web: whether addresses of private networks are allowed; false when absent"),
  only: withDefault(list(word), [], "for openapi: the operations that become tools; all when empty"),
  auth_env: optional(word, "for openapi: the environment variable with the token or key"),
  server: optional(webAddress, "for openapi: the address of the API; the first of the file's servers when absent"),
  approval: optional(
    flag,
    "whether a human approves each call: of shell (true when absent), of writing files and of openapi (false when absent)",
  ),
});

export type ToolSetKeys = ValueOf<typeof toolSetShape>;

type Kind = "files" | "shell" | "web" | "todo" | "openapi";

/** Which keys mean something for which tools. */
export const keysOfKinds: Readonly<Record<Kind, ReadonlySet<string>>> = {
  files: new Set(["builtin", "root", "write", "max_file_kb", "approval"]),
  shell: new Set(["builtin", "root", "programs", "shell", "env", "timeout", "max_output_chars", "approval"]),
  web: new Set(["builtin", "allow", "private", "max_file_kb"]),
  todo: new Set(["builtin"]),
  openapi: new Set(["openapi", "only", "auth_env", "server", "approval"]),
};
