import { readSource } from "../attachments/read-source.ts";
import { sniffType } from "../attachments/sniff-type.ts";
import type { Assumption } from "../flow/plan/assume-run.ts";
import type { Plan } from "../flow/plan/plan.ts";
import { planOf } from "../flow/plan/plan-of.ts";
import type { RecordedRun } from "../flow/plan/recorded-runs.ts";
import type { Store } from "../journal/store.ts";
import { collectModelFacts } from "../prepare/collect-model-facts.ts";
import { parseModels } from "../prepare/prepare-models.ts";
import { countToolCalls } from "../views/count-tool-calls.ts";
import { buildResult } from "../views/run-result.ts";
import { estimateAttachmentTokens, usualAttachmentLimits } from "../vocabulary/attachment.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";

/** How a crew is planned. */
export interface PlanCrewOptions {
  /** Models in place of the crew's own, as `provider/model`, separated by commas. */
  readonly model?: string;
  /** What is assumed of a likely run where none is recorded. */
  readonly assume?: Assumption;
  /** Files that come with the input: paths, relative to the working directory. They are looked at, and stored nowhere. */
  readonly files?: readonly string[];
}

interface Surroundings {
  readonly store?: Pick<Store, "list" | "read"> | undefined;
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Plans a crew with all that is known around it: its models, and its recorded runs. */
export async function planCrew(
  crew: Crew,
  input: string | undefined,
  { model, assume, files = [] }: PlanCrewOptions,
  { store, variables = {} }: Surroundings,
): Promise<Plan> {
  const listModels = await collectModelFacts(crew, {
    instead: model === undefined ? undefined : parseModels(model),
    defaults: parseModels(variables["BATON_MODEL"] ?? "", "BATON_MODEL"),
  });
  const runs = store === undefined ? [] : await readRecordedRuns(store, crew);
  const fileTokens = await countFileTokens(files);
  return planOf(crew, { input, fileTokens, listModels, runs, ...(assume !== undefined && { assume }) });
}

async function countFileTokens(files: readonly string[]): Promise<number> {
  const { maxBytes } = usualAttachmentLimits;
  let tokens = 0;
  for (const path of files) {
    const rules = { folder: process.cwd(), isConfined: false, isPrivate: false, maxBytes };
    const { name, content } = await readSource({ path }, rules);
    tokens += estimateAttachmentTokens({ mediaType: sniffType(content, name), bytes: content.byteLength });
  }
  return tokens;
}

/** As many runs as say what is likely now. */
const NEWEST = 200;

async function readRecordedRuns(store: Pick<Store, "list" | "read">, { name }: Crew): Promise<RecordedRun[]> {
  const stored = await store.list({ crew: name, limit: NEWEST });
  const recorded: RecordedRun[] = [];
  for (const { runId, status } of stored) {
    if (status !== "completed" && status !== "failed") continue;
    recorded.push(readRun(await store.read(runId)));
  }
  return recorded;
}

function readRun(events: readonly BatonEvent[]): RecordedRun {
  const { handoffs, rounds, usage, cost, path, startedAt, endedAt } = buildResult(events);
  const seconds = endedAt === undefined ? null : (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return {
    path,
    figures: {
      handoffs,
      rounds,
      modelCalls: events.filter(({ type }) => type === "model.called").length,
      toolCalls: countToolCalls(events),
      inputTokens: usage.input,
      outputTokens: usage.output,
      costUsd: cost.usd,
      seconds,
    },
  };
}
