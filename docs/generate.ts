/** `npm run docs`: writes the pages and schemas that follow from the code. A test fails while they are out of date. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { checkCrew } from "../src/definition/check-crew.ts";
import { buildGraph } from "../src/flow/crew-graph.ts";
import { drawMermaid } from "../src/flow/draw-mermaid.ts";
import { jsonSchemas } from "../src/scenario/json-schemas.ts";
import { routes } from "../src/server/routes.ts";
import { scanSignals, signalScopes } from "../src/signals/scan-signals.ts";
import { indexSignals } from "../src/signals/signal-index.ts";
import { type DiagnosticCode, describeSeverity, diagnosticCodes } from "../src/vocabulary/diagnostic.ts";
import { errorCodes } from "../src/vocabulary/error-codes.ts";
import { failureCodes } from "../src/vocabulary/failure-codes.ts";
import { corpusSignals } from "../test/corpus-signals.ts";
import { keysWithoutEffect, keyTable, type Schema } from "./key-table.ts";
import { keyTypes } from "./key-types.ts";
import { libraryPage } from "./library-page.ts";
import { listPublicApi } from "./public-api.ts";

const root = new URL("../", import.meta.url);

/** Every generated file by path, with the text it must have. */
export function generate(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [kind, schema] of Object.entries(jsonSchemas)) {
    files.set(`schema/${kind}.schema.json`, `${JSON.stringify(schema, undefined, 1)}\n`);
    files.set(`docs/reference/${kind}.md`, keyTable(kind, schema as Schema));
  }
  files.set("docs/reference/diagnostics.md", diagnosticsPage());
  files.set("docs/from-go-agentic.md", between(read("docs/from-go-agentic.md"), "without effect", listWithoutEffect()));
  files.set("docs/reference/errors.md", errorsPage());
  files.set("docs/reference/library.md", libraryPage(listPublicApi(fileURLToPath(root))));
  for (const [module, text] of definitionKeys()) files.set(`src/library/${module}.ts`, text);
  files.set("docs/serving.md", between(read("docs/serving.md"), "routes", routeTable()));
  files.set("docs/signals.md", between(read("docs/signals.md"), "scopes", scopeTable()));
  for (const name of readdirSync(new URL("examples/", root))) {
    const path = `examples/${name}/README.md`;
    files.set(path, between(read(path), "drawing", drawing(name)));
  }
  return files;
}

/** The types of crews in code, so that an editor shows what each key means. */
function definitionKeys(): Map<string, string> {
  const schemaOf = (kind: "agent" | "crew") => jsonSchemas[kind] as Schema;
  return keyTypes([
    {
      module: "agent-keys",
      name: "AgentKeys",
      about: "The keys of an agent's file, but for those that code gives in another form.",
      schema: schemaOf("agent"),
      leftOut: new Set(["id", "models", "output", "router", "run"]),
    },
    {
      module: "crew-keys",
      name: "CrewKeys",
      about: "The keys of crew.yaml, but for those that code gives in another form.",
      schema: schemaOf("crew"),
      leftOut: new Set(["version", "name", "agents", "models", "tools"]),
    },
  ]);
}

function routeTable(): string {
  const rows = routes.map(({ method, path, scope, summary }) => `| \`${method} ${path}\` | ${scope} | ${summary} |`);
  return `| route | scope | what it does |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function diagnosticsPage(): string {
  // The keys of a table of constants are its codes.
  const codes = Object.keys(diagnosticCodes) as DiagnosticCode[];
  const rows = codes.map((code) => `| \`${code}\` | ${describeSeverity(code)} | ${diagnosticCodes[code]} |`);
  return `# Diagnostics\n\nWhat \`baton check\` can find. Generated from the code.\n\n| code | severity | meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

/** A section for each code, so that a link can lead to it. */
function errorsPage(): string {
  const sections = (codes: Readonly<Record<string, string>>) =>
    Object.entries(codes).map(([code, text]) => `### ${code}\n\n${text}\n`);
  const parts = [
    "# Errors and failures\n",
    "What each code means and what to do about it. `baton explain <code>` prints the same. Generated from the code.\n",
    "## Errors\n",
    "Codes of a `BatonError`: a command or a function in code refuses what it was given, or cannot do it.\n",
    ...sections(errorCodes),
    "## Failures inside a run\n",
    "Codes in `result.error`, and in the events `model.failed`, `agent.failed` and `run.failed`. `status_429` and the like are explained under `status`. A model in code may use codes of its own.\n",
    ...sections(failureCodes),
  ];
  return `${parts.join("\n").trimEnd()}\n`;
}

function listWithoutEffect(): string {
  const rows = Object.entries(jsonSchemas).flatMap(([kind, schema]) =>
    keysWithoutEffect(schema as Schema).map((key) => `| ${kind} | \`${key}\` |`),
  );
  return `| file | key |\n| --- | --- |\n${rows.join("\n")}`;
}

/** How the scanner does on the corpus, per scope. */
function scopeTable(): string {
  const index = indexSignals(corpusSignals.map((name) => ({ name, priority: 50 })));
  const mentions: { text: string }[] = parse(read("test/corpus/signals/mentions.yaml"));
  const emissions: { text: string; signal: string }[] = parse(read("test/corpus/signals/emissions.yaml"));
  const rows = signalScopes.map((scope) => {
    const wrong = mentions.filter(({ text }) => scanSignals(text, index, scope).length > 0).length;
    const missed = emissions.filter(
      ({ text, signal }) => !scanSignals(text, index, scope).some((match) => match.signal.name === signal),
    ).length;
    return `| \`${scope}\` | ${wrong} of ${mentions.length} | ${missed} of ${emissions.length} |`;
  });
  return `| scope | mentions that act (false) | emissions not seen (missed) |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function drawing(name: string): string {
  const inside: Readonly<Record<string, string>> = { "bike-repair": "/counter", "multi-team": "/master" };
  const path = fileURLToPath(new URL(`examples/${name}${inside[name] ?? ""}`, root));
  const { crew } = checkCrew(path);
  if (crew === undefined) throw new Error(`${path} does not load`);
  return `\`\`\`mermaid\n${drawMermaid(buildGraph(crew))}\`\`\``;
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
function between(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = text.indexOf(open);
  if (start === -1) throw new Error(`no ${open} in: ${text.slice(0, 80)}`);
  const end = text.indexOf(close);
  if (end === -1) throw new Error(`no ${close} in: ${text.slice(0, 80)}`);
  return `${text.slice(0, start)}${open}\n${content}\n${close}${text.slice(end + close.length)}`;
}

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of generate()) writeFileSync(new URL(path, root), text);
}
