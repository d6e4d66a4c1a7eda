import { readFileSync } from "node:fs";
import type { Mutant } from "./find-mutants.ts";
import type { Fate } from "./judge-mutant.ts";

/** A survivor that somebody has looked at: a program with it does the same, for this reason. */
interface Judgement {
  readonly code: string;
  readonly change: string;
  readonly reason: string;
}

/** By source file. */
export type Judgements = Readonly<Record<string, readonly Judgement[]>>;

export interface JudgedMutant {
  readonly mutant: Mutant;
  readonly fate: Fate;
}

export interface FolderScore {
  readonly folder: string;
  readonly mutants: number;
  readonly killed: number;
  readonly equivalent: number;
  readonly survived: number;
  /** The part of those that are not equivalent that were killed. */
  readonly score: number;
}

const survivorsFile = new URL("./survivors.json", import.meta.url);

export function readJudgements(): Judgements {
  return JSON.parse(readFileSync(survivorsFile, "utf8"));
}

export function isEquivalent(mutant: Mutant, judgements: Judgements): boolean {
  return judgements[mutant.file]?.some((judgement) => isOf(judgement, mutant)) === true;
}

function isOf({ code, change }: Judgement, mutant: Mutant): boolean {
  return code === mutant.code && change === describeChange(mutant);
}

/** The judgements of mutants that are no longer there, or that a test has killed. */
export function findStale(
  judgements: Judgements,
  mutants: readonly Mutant[],
  judged: readonly JudgedMutant[],
): string[] {
  const killed = judged.filter(({ fate }) => fate.type === "killed").map(({ mutant }) => mutant);
  return Object.entries(judgements).flatMap(([file, list]) =>
    list.flatMap((judgement) => {
      const isIn = (some: readonly Mutant[]) => some.some((mutant) => mutant.file === file && isOf(judgement, mutant));
      const what = `${file}: '${judgement.code}', ${judgement.change}`;
      if (!isIn(mutants)) return [`${what}: there is no such mutant any more`];
      return isIn(killed) ? [`${what}: it was killed`] : [];
    }),
  );
}

export function scoreFolder(folder: string, judged: readonly JudgedMutant[], judgements: Judgements): FolderScore {
  const own = judged.filter(({ mutant }) => mutant.file.startsWith(`src/${folder}/`));
  const killed = own.filter(({ fate }) => fate.type === "killed").length;
  const survivors = own.filter(({ fate }) => fate.type === "survived");
  const equivalent = survivors.filter(({ mutant }) => isEquivalent(mutant, judgements)).length;
  const counted = own.length - equivalent;
  const survived = counted - killed;
  return { folder, mutants: own.length, killed, equivalent, survived, score: counted === 0 ? 1 : killed / counted };
}

export function describeScore({ folder, mutants, killed, equivalent, survived, score }: FolderScore): string {
  const of = `${mutants} mutants: ${killed} killed, ${equivalent} equivalent, ${survived} survived`;
  return `src/${folder}: ${of}: ${(100 * score).toFixed(1)} %`;
}

export function describeSurvivor({ mutant, fate }: JudgedMutant): string {
  return `${mutant.file}:${mutant.line}  ${describeChange(mutant)}${describeTests(fate)}`;
}

function describeTests(fate: Fate): string {
  if (fate.type === "killed" || (fate.run === fate.reaching && fate.run > 0)) return "";
  return fate.run === 0
    ? "  (no test reaches it)"
    : `  (${fate.run} of the ${fate.reaching} test files that reach it were run)`;
}

/** `original → replacement`, on one line and of bounded length. */
function describeChange({ original, replacement, isStatement, nth }: Mutant): string {
  const change = `${shorten(original)} → ${isStatement ? "(removed)" : shorten(replacement)}`;
  return nth === 1 ? change : `${change} (number ${nth} of the line)`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= 100 ? line : `${line.slice(0, 60)} … ${line.slice(-37)}`;
}
