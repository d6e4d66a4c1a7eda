/**
 * `npm run corpora -- [kind…] [--list]`: loads, plays and imports the files of other systems that are collected in `../shared/corpora`, in place.
 * `--list` prints what every refused file is refused for. Exits 1 where a figure is below what is wanted, or something was thrown.
 */
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, styleText } from "node:util";
import { kinds, listSamples } from "./samples.ts";
import { type Tried, trySample } from "./try-sample.ts";

const collection = fileURLToPath(new URL("../../shared/corpora", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false } },
});

if (!existsSync(collection)) {
  console.log(`There is no collection at ${collection}: nothing to measure.`);
  process.exit(0);
}
const unknown = positionals.filter((name) => !kinds.some((kind) => kind.name === name));
if (unknown.length > 0) {
  console.error(`no kind '${unknown.join("', '")}'; there are ${kinds.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const columns = [
  ...["kind", "files", "loads", "runs", "explained", "imports", "runs after", "uncaught", "seconds", "wanted"],
  "",
];
console.log(formatRow(columns));
const codes: string[] = [];
const equipment: string[] = [];
for (const kind of kinds.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const start = performance.now();
  const tried: Tried[] = [];
  for (const file of listSamples(collection, kind)) tried.push(await trySample(file, collection));
  const seconds = (performance.now() - start) / 1000;
  const count = (has: (each: Tried) => boolean) => tried.filter(has).length;
  const uncaught = count(({ isUncaught }) => isUncaught);
  const share = count(({ isLoaded, isExplained }) => isLoaded || isExplained) / tried.length;
  const imported = count(({ isImportPlayed }) => isImportPlayed) / tried.length;
  const isMet = uncaught === 0 && share >= kind.wanted && imported >= kind.wanted;
  if (!isMet) process.exitCode = 1;
  console.log(
    formatRow([
      kind.name,
      String(tried.length),
      String(count(({ isLoaded }) => isLoaded)),
      String(count(({ isPlayed }) => isPlayed)),
      String(count(({ isExplained }) => isExplained)),
      String(count(({ isImported }) => isImported)),
      String(count(({ isImportPlayed }) => isImportPlayed)),
      String(uncaught),
      seconds.toFixed(1),
      `${Math.floor(Math.min(share, imported) * 100)} % of ${kind.wanted * 100} %`,
      isMet ? styleText("green", "met") : styleText("red", "MISSED"),
    ]),
  );
  if (tried.some(({ equipped }) => equipped !== undefined)) {
    const of = (share: Tried["equipped"]) => count(({ equipped }) => equipped === share);
    equipment.push(
      `${kind.name}: ${of("all")} with all tools that they name, ${of("some")} with some, ${of("none")} with none`,
    );
  }
  codes.push(`${kind.name}: ${countCodes(tried)}`);
  if (values.list) listProblems(tried);
}
console.log(`
loads: as it is, without an error. runs: a scripted run comes to an end, with stand-ins for tools. explained: refused for something that is
not there, or for being another program's file. imports: 'baton import' writes a crew that passes the check, and the same again. runs after:
a scripted run of that crew comes to an end. wanted: loads or is explained, and runs after the import; the smaller share of the two.
`);
console.log("agents of products with --allow write:.,shell:git,web:example.org,todo:");
for (const line of equipment) console.log(`  ${line}`);
console.log("");
for (const line of codes) console.log(line);

function formatRow(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(11) : cell.padStart(index < 9 ? 10 : 14))).join(" ");
}

function countCodes(tried: readonly Tried[]): string {
  const found = tried.flatMap(({ diagnostics }) => diagnostics);
  const byCode = Map.groupBy(found, ({ severity, code }) => `${code} (${severity})`);
  const sorted = [...byCode].sort(([a], [b]) => a.localeCompare(b));
  return sorted.map(([code, { length }]) => `${length} ${code}`).join(", ") || "no diagnostics";
}

function listProblems(tried: readonly Tried[]): void {
  for (const { file, diagnostics, isLoaded, isPlayed, isImportPlayed, problem } of tried) {
    if (isLoaded && isPlayed && isImportPlayed) continue;
    console.log(`  ${relative(collection, file)}${problem === undefined ? "" : `: ${problem}`}`);
    for (const { severity, code, file: where, line, message } of diagnostics)
      if (severity === "error") console.log(`      ${code} ${where}:${line} ${message}`);
  }
}
