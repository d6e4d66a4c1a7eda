import { existsSync, readFileSync } from "node:fs";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { fields, optional, required } from "./fields.ts";
import { parseYaml } from "./parse-yaml.ts";
import { createProblemLog } from "./problem-log.ts";
import { integer, number, word } from "./scalar-shapes.ts";
import { choice, list, type ValueOf } from "./shape.ts";
import { createSource } from "./source.ts";

/** The keys of one entry of a tokens file. */
const tokenShape = fields({
  name: required(word, "what the token is called: it is recorded with what it does, and is the user its runs are for"),
  sha256: required(word, "the SHA-256 of the secret, as `baton token new` prints it"),
  expires: optional(word, "when it stops being valid, such as 2027-01-31"),
  scopes: required(list(choice("run", "read", "answer", "act_as", "admin")), "what it may do"),
  crews: optional(list(word), "the crews that it may use; all when absent"),
  max_runs: optional(integer({ min: 1 }), "how many of its runs may be under way at once"),
  requests_per_minute: optional(integer({ min: 1 }), "how many requests it may make in a minute"),
  max_cost_usd_per_day: optional(number({ min: 0 }), "dollars that its runs may cost in a day (UTC)"),
});

const tokensShape = list(tokenShape);

export type TokenEntry = ValueOf<typeof tokenShape>;

/** Reads a tokens file: a list of tokens. Everything that is wrong with it is an error: half a rule protects nothing. */
export function readTokenEntries(
  file: string,
): { readonly entries: readonly TokenEntry[] } | { readonly diagnostics: readonly Diagnostic[] } {
  const log = createProblemLog();
  const reporter = log.reporter(true);
  if (!existsSync(file)) {
    reporter.report("not-found", { file }, `${file} does not exist: make its lines with baton token new <name>`);
    return { diagnostics: log.diagnostics((each) => each) };
  }
  const source = createSource(file, readFileSync(file, "utf8"));
  const root = parseYaml(source, { start: 0, end: source.text.length }, reporter);
  const entries = root && tokensShape.read(root, "tokens", { source, reporter });
  if (entries === undefined || reporter.hasErrors()) return { diagnostics: log.diagnostics((each) => each) };
  return { entries };
}
