import { addUsd } from "../vocabulary/bill.ts";
import type { HandoffQuery, HandoffRecord, LoopFigures, PathFigures, StoredHandoff } from "./handoff-record.ts";
import type { Memory } from "./memory.ts";
import type { RunRow } from "./run-row.ts";
import type { Tables } from "./tables.ts";

type HandoffTables = Pick<Tables<RunRow>, "saveHandoffs" | "stats" | "handoffs" | "forget">;

/** The handoffs of a store in memory. */
export function createHandoffTables({ runs, handoffs }: Memory): HandoffTables {
  /** Handoffs of the newest runs first. */
  const find = (query: HandoffQuery): StoredHandoff[] =>
    [...runs].reverse().flatMap(([runId, { row }]) =>
      [...(handoffs.get(runId)?.values() ?? [])]
        .filter((handoff) => isMeant(handoff, query))
        .sort((a, b) => b.seq - a.seq)
        .map((handoff) => ({ ...handoff, runId, input: row.input })),
    );
  return {
    saveHandoffs(runId, added) {
      const ofRun = handoffs.get(runId) ?? new Map<number, HandoffRecord>();
      handoffs.set(runId, ofRun);
      for (const handoff of added) ofRun.set(handoff.seq, { ...handoff });
    },
    stats(query, limit) {
      const found = find(query);
      const loops = found.filter(({ loop }) => loop !== undefined);
      return {
        paths: [...Map.groupBy(found, makePathKey).values()].flatMap(sumPaths).sort(compareTraffic),
        loops: [...Map.groupBy(loops, makeLoopKey).values()].flatMap(sumLoops).sort(compareTraffic).slice(0, limit),
        unmatchedInputs: found
          .filter(({ unmatched }) => unmatched !== undefined)
          .sort((a, b) => b.at - a.at)
          .slice(0, limit),
      };
    },
    handoffs: (query, limit) =>
      [...Map.groupBy(find(query), makePathKey).values()].flatMap((ofPath) => ofPath.slice(0, limit)),
    forget(query) {
      const forgotten = find(query);
      for (const { runId, seq } of forgotten) handoffs.get(runId)?.delete(seq);
      return forgotten.length;
    },
  };
}

function isMeant(handoff: HandoffRecord, query: HandoffQuery): boolean {
  const { crew, from, to, via, at } = handoff;
  const { crew: meant = crew, since = at } = query;
  const isOfCrew = crew === meant || crew.startsWith(`${meant}/`);
  const isOfPath = from === (query.from ?? from) && to === (query.to ?? to) && via === (query.via ?? via);
  return isOfCrew && isOfPath && at >= since;
}

function makePathKey({ crew, from, to, via }: HandoffRecord): string {
  return JSON.stringify([crew, from, to, via]);
}

function makeLoopKey({ crew, loop }: HandoffRecord): string {
  return JSON.stringify([crew, loop]);
}

/** Busiest first, then by name, so that the order is stable. */
function compareTraffic(a: PathFigures | LoopFigures, b: PathFigures | LoopFigures): number {
  return b.handoffs - a.handoffs || (formatName(a) < formatName(b) ? -1 : 1);
}

function formatName(figures: PathFigures | LoopFigures): string {
  if ("loop" in figures) return `${figures.crew}\0${figures.loop}`;
  return `${figures.crew}\0${figures.from ?? ""}\0${figures.to}\0${figures.via}`;
}

function sumPaths(handoffs: readonly HandoffRecord[]): PathFigures[] {
  const [first] = handoffs;
  if (first === undefined) return [];
  const { crew, from, to, via } = first;
  const sum = (of: (handoff: HandoffRecord) => number) => handoffs.reduce((total, each) => total + of(each), 0);
  return [
    {
      ...{ crew, from, to, via },
      ...countOutcomes(handoffs),
      costUsd: handoffs.reduce((total, { costUsd = 0 }) => addUsd(total, costUsd), 0),
      priced: handoffs.filter(({ costUsd }) => costUsd !== undefined).length,
      ms: sum(({ ms }) => ms),
      lastAt: handoffs.reduce((last, { at }) => Math.max(last, at), 0),
    },
  ];
}

function sumLoops(handoffs: readonly HandoffRecord[]): LoopFigures[] {
  const [first] = handoffs;
  return first?.loop === undefined ? [] : [{ crew: first.crew, loop: first.loop, ...countOutcomes(handoffs) }];
}

function countOutcomes(handoffs: readonly HandoffRecord[]): Pick<PathFigures, "handoffs" | "successes" | "failures"> {
  const successes = handoffs.filter(({ isSuccess }) => isSuccess === true).length;
  const failures = handoffs.filter(({ isSuccess }) => isSuccess === false).length;
  return { handoffs: handoffs.length, successes, failures };
}
