/**
 * `npm run mutate [-- --folder signals --file <part of a path> --sample N --seed N --seconds N --lanes N --json]`: changes the sources in
 * small ways, and says which changes no test notices. `--sample` tries so many mutants of each folder; the tests of one mutant take
 * `--seconds` at most. Exits 1 where fewer
 * than 90 % of a folder's mutants are killed, without those that `survivors.json` explains.
 */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyProject, hashText, type MutantProject, projectRoot } from "./copy-project.ts";
import type { Mutant } from "./find-mutants.ts";
import { countTry, type Experience, judgeMutant } from "./judge-mutant.ts";
import { type MeasuredTests, measureTests } from "./measure-tests.ts";
import {
  describeScore,
  describeSurvivor,
  findStale,
  isEquivalent,
  type JudgedMutant,
  readJudgements,
  scoreFolder,
} from "./report.ts";
import { type Lane, startLane } from "./start-lane.ts";
import { openFates } from "./stored-fates.ts";

const FOLDERS = ["run", "journal", "session", "signals", "orchestration"];
const PASSING_SCORE = 0.9;
const STATE = join(projectRoot, ".mutate");

const { values } = parseArgs({
  options: {
    folder: { type: "string", multiple: true, default: FOLDERS },
    file: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "120" },
    lanes: { type: "string", default: String(availableParallelism()) },
    json: { type: "boolean", default: false },
  },
});
const folders = values.folder.map((folder) => folder.replace(/^src\//, "").replace(/\/$/, ""));
for (const folder of folders)
  if (!FOLDERS.includes(folder)) stop(`--folder must be one of ${FOLDERS.join(", ")}, got '${folder}'`);
const sample = values.sample === undefined ? Number.POSITIVE_INFINITY : numberOf("sample", values.sample);
const seconds = numberOf("seconds", values.seconds);
const laneCount = numberOf("lanes", values.lanes);
const say = (text: string) => (values.json ? process.stderr : process.stdout).write(`${text}\n`);

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}

function numberOf(name: string, text: string): number {
  return /^[1-9]\d*$/.test(text) ? Number(text) : stop(`--${name} must be a whole number above 0, got '${text}'`);
}

/** Those of the wanted files; of each folder a sample that stays the same while its other mutants change. */
function chooseMutants(mutants: readonly Mutant[]): readonly Mutant[] {
  return folders.flatMap((folder) => {
    const own = mutants.filter(({ file }) => file.startsWith(`src/${folder}/`) && file.includes(values.file ?? ""));
    const placeOf = ({ file, code, original, replacement, nth }: Mutant) =>
      hashText(JSON.stringify([values.seed, file, code, original, replacement, nth]));
    const chosen = own.map((mutant) => [placeOf(mutant), mutant] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    return chosen.slice(0, sample).map(([, mutant]) => mutant);
  });
}

/** Gives each piece of work to the first lane that is free. */
async function shareOut<T>(work: readonly T[], lanes: readonly Lane[], act: (piece: T, lane: Lane) => Promise<void>) {
  const waiting = work.values();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const piece of waiting) await act(piece, lane);
    }),
  );
}

async function measureAll(project: MutantProject, lanes: readonly Lane[]): Promise<readonly MeasuredTests[]> {
  const measured: MeasuredTests[] = [];
  await shareOut(project.testFiles, lanes, async (file, lane) => {
    const tests = await measureTests(file, project, lane, STATE);
    if (tests.failed === undefined) measured.push(tests);
    else say(`left out, since it fails without a mutant: ${tests.failed}`);
    if (measured.length % 20 === 0) say(`${measured.length} of ${project.testFiles.length} test files run`);
  });
  return measured;
}

async function judgeAll(project: MutantProject, lanes: readonly Lane[]): Promise<readonly JudgedMutant[]> {
  const chosen = chooseMutants(project.mutants);
  if (chosen.length === 0)
    stop(`there is nothing to change in files of src/{${folders.join(",")}} whose path has '${values.file}'`);
  const fates = openFates(STATE, project);
  const experience: Experience = { tries: new Map(), independent: new Set(), whole: new Set() };
  const judged: JudgedMutant[] = [];
  const rest: Mutant[] = [];
  for (const mutant of chosen) {
    const fate = fates.find(mutant, seconds);
    if (fate === undefined) rest.push(mutant);
    else judged.push({ mutant, fate });
    if (fate?.type === "killed") countTry(mutant, fate.file, true, experience);
  }
  say(`${chosen.length} mutants of ${project.mutants.length}, ${judged.length} of them known`);
  const measured = rest.length === 0 ? [] : await measureAll(project, lanes);
  await shareOut(rest, lanes, async (mutant, lane) => {
    const fate = await judgeMutant(project.mutants.indexOf(mutant), mutant, measured, experience, seconds, lane);
    fates.add(mutant, fate);
    judged.push({ mutant, fate });
    if (judged.length % 20 === 0) say(`${judged.length} of ${chosen.length} mutants tried`);
  });
  return judged;
}

function report(judged: readonly JudgedMutant[], mutants: readonly Mutant[]): void {
  const judgements = readJudgements();
  const survivors = judged
    .filter(({ mutant, fate }) => fate.type === "survived" && !isEquivalent(mutant, judgements))
    .sort(({ mutant: a }, { mutant: b }) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const scores = folders.map((folder) => scoreFolder(folder, judged, judgements));
  const stale = findStale(judgements, mutants, judged);
  if (values.json) console.log(JSON.stringify({ scores, survivors, stale }, undefined, 1));
  else for (const line of [...survivors.map(describeSurvivor), ...scores.map(describeScore)]) console.log(line);
  for (const line of stale) console.error(`mutate/survivors.json: ${line}; delete its entry`);
  if (stale.length > 0 || scores.some(({ score }) => score < PASSING_SCORE)) process.exitCode = 1;
}

const root = mkdtempSync(join(realpathSync(tmpdir()), "baton-mutate-"));
// Tests start processes of other users in it.
chmodSync(root, 0o755);
const lanes = Array.from({ length: laneCount }, () => startLane(root));
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
process.once("exit", () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
try {
  const project = copyProject(root, FOLDERS);
  report(await judgeAll(project, lanes), project.mutants);
} finally {
  await Promise.all(lanes.map((lane) => lane.end()));
}
