import { z } from "zod";
import type { RunQuery, StoredRun } from "../../journal/store.ts";
import { diagnoseRun } from "../../library/diagnose-run.ts";
import { buildResult } from "../../views/run-result.ts";
import { buildRunTree } from "../../views/run-tree.ts";
import { listSpending } from "../../views/spending.ts";
import { buildTranscript } from "../../views/transcript.ts";
import { explainUnknownRun } from "../../vocabulary/errors.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { toRunId } from "../../vocabulary/ids.ts";
import { anyObject } from "../schemas.ts";
import { type AddTool, tellData } from "./add-tool.ts";
import type { DevPlace } from "./dev-place.ts";

const USUAL_RUNS = 20;
const USUAL_EVENTS = 100;

const runId = z.string().min(1).max(256);
const readOnly = { readOnlyHint: true };

const views = {
  result: (events: readonly BatonEvent[]) => ({ ...buildResult(events) }),
  tree: (events: readonly BatonEvent[]) => ({ tree: buildRunTree(events) }),
  transcript: (events: readonly BatonEvent[]) => ({ transcript: buildTranscript(events) }),
  cost: (events: readonly BatonEvent[]) => {
    const { usage, cost } = buildResult(events);
    return { spending: listSpending(events), usage, cost };
  },
} as const;

/** Tools about the runs of the store, whoever started them. */
export function addStoredRunTools(add: AddTool, { host: { store }, crews: { workingDirectory } }: DevPlace): void {
  add(
    "list_runs",
    {
      title: "List runs",
      description: "Lists the stored runs, the newest first.",
      input: z.strictObject({
        crew: z.string().optional(),
        status: z.enum(["queued", "running", "paused", "completed", "failed", "cancelled"]).optional(),
        limit: z.int().min(1).max(200).default(USUAL_RUNS),
      }),
      output: z.looseObject({ runs: z.array(anyObject) }),
      annotations: readOnly,
    },
    async ({ crew, status, limit }) => {
      const query: RunQuery = { limit, ...(crew !== undefined && { crew }), ...(status !== undefined && { status }) };
      return tellData({ runs: (await store.list(query)).map(describeRun) });
    },
  );
  add(
    "show_run",
    {
      title: "Show a run",
      description:
        "Shows what became of a run: its result, who said what, the tree of its parts, its cost, or its events.",
      input: z.strictObject({
        runId,
        view: z.enum(["result", "transcript", "tree", "cost", "events"]).default("result"),
        from: z.int().min(0).default(0).meta({ description: "With events: the number of the first one." }),
        limit: z.int().min(1).max(1000).default(USUAL_EVENTS).meta({ description: "With events: how many." }),
      }),
      output: anyObject,
      annotations: readOnly,
    },
    async ({ runId: id, view, from, limit }) => {
      const events = await readRun(id);
      if (view !== "events") return tellData(views[view](events));
      const page = events.slice(from, from + limit);
      const next = from + limit < events.length ? { next: from + limit } : {};
      return tellData({ events: page, ...next });
    },
  );
  add(
    "diagnose_run",
    {
      title: "Diagnose a run",
      description:
        "Finds what went wrong in a run and why, with the events that show it and the line of the crew to change.",
      input: z.strictObject({ runId }),
      output: anyObject,
      annotations: readOnly,
    },
    async ({ runId: id }) => tellData(await diagnoseRun(await readRun(id), store, workingDirectory)),
  );

  async function readRun(id: string): Promise<readonly BatonEvent[]> {
    const run = toRunId(id.trim());
    const events = await store.read(run);
    if (events.length === 0) throw explainUnknownRun(run);
    return events;
  }
}

function describeRun({ startedAt, updatedAt, ...run }: StoredRun): object {
  return { ...run, startedAt: new Date(startedAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}
