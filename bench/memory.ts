import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listTerms } from "../src/classify/list-terms.ts";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import { systemClock } from "../src/run/clock.ts";
import { openMemory } from "../src/runtime/open-memory.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { facts, questions } from "./memory-corpus.ts";
import { type Figure, median, type Report } from "./report.ts";

const TOP = 6;
const LARGE = 100_000;

/** How many of a hundred questions find their fact among the first six, and how long a search in many entries takes. */
export async function measure(): Promise<Report> {
  return {
    figures: [
      await found("by words", undefined),
      await found("by words and vectors (local)", "local/words"),
      await searchTime(),
    ],
    notes: [`${facts.length} facts, ${questions.length} questions, the first ${TOP}: bench/memory-corpus.ts`],
  };
}

async function found(how: string, embed: string | undefined): Promise<Figure> {
  const memory = openMemory(openMemoryStore(), systemClock, {});
  const common = { scope: "crew/bench", tags: [], runId: "run_bench", path: "0", supersedes: [], maxEntries: 1000 };
  for (const [index, text] of facts.entries())
    await memory.remember({ ...common, id: `mem_${index}`, text, expiresAt: undefined, embed });
  let hits = 0;
  for (const { question, fact } of questions) {
    const recalled = await memory.recall({ scope: "crew/bench", text: question, embed, limit: TOP });
    if (recalled.some(({ id }) => id === `mem_${fact}`)) hits++;
  }
  return { name: `facts found, ${how}`, value: hits, unit: "%" };
}

async function searchTime(): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const store = await openSqliteStore(join(folder, "journal.sqlite"));
  try {
    const runId = toRunId("run_bench");
    const entry = (index: number) => {
      const text = `${facts[index % facts.length]} Noted as ${index}.`;
      const terms = listTerms(text).join(" ");
      return { id: `mem_${index}`, scope: "crew/bench", text, terms, tags: [], runId, path: "0", at: index };
    };
    for (let from = 0; from < LARGE; from += 1000)
      await Promise.all(Array.from({ length: 1000 }, (_, index) => store.remember(entry(from + index))));
    const times: number[] = [];
    for (const { question } of questions) {
      const start = performance.now();
      await store.recall({ scope: "crew/bench", by: { terms: listTerms(question) }, limit: TOP });
      times.push(performance.now() - start);
    }
    return { name: `a search in ${LARGE} entries`, value: median(times), unit: "ms", target: { atMost: 20 } };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}
