import type { PlanJson } from "../../../src/flow/plan/plan.ts";
import type { RunResult, RunStatus } from "../../../src/views/run-result.ts";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import type { Paused, ResumeAnswer } from "../../../src/vocabulary/pause.ts";
import type { GraphJson } from "../graph/graph-data.ts";
import { request } from "./request.ts";

/** A crew as the server tells of it. */
export interface CrewSummary {
  readonly name: string;
  readonly description?: string;
  readonly agents: readonly { readonly id: string; readonly description?: string; readonly prompt?: string }[];
  readonly diagnostics: readonly CrewDiagnostic[];
}

export interface CrewDiagnostic {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly suggestion?: string;
}

/** A row of the list of runs. */
export interface RunRow {
  readonly runId: string;
  readonly crew: string;
  readonly status: RunStatus | "queued";
  readonly input?: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly paused?: Paused;
  readonly conversation?: string;
  readonly user?: string;
}

export interface RunPage {
  readonly runs: readonly RunRow[];
  readonly next?: string;
}

/** What the diagnosis of a run found, worst first. */
export interface Finding {
  readonly code: string;
  readonly title: string;
  readonly advice: string;
  readonly evidence: readonly { readonly seq: number }[];
}

/** What the scenarios of a crew show of it. */
export interface CoverageJson {
  readonly graph?: GraphJson;
  readonly coverage: readonly {
    readonly crew: string;
    readonly percent: number;
    readonly items: readonly { readonly name: string; readonly covered: boolean; readonly by: readonly string[] }[];
  }[];
  readonly passed: number;
  readonly failed: number;
}

/** A crew's runs of one day. */
export interface DayFigures {
  readonly day: string;
  readonly crew: string;
  readonly runs: number;
  readonly cost: { readonly usd: number };
  /** How long runs took; null if none has ended. */
  readonly ms: { readonly p50: number } | null;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Handoffs from one agent to another, across runs. */
export interface PathTraffic {
  readonly from: string;
  readonly to: string;
  readonly via: string;
  readonly handoffs: number;
  readonly successes: number;
  readonly failures: number;
  readonly costUsd: number | null;
  readonly ms: number;
}

export interface Statistics {
  readonly paths: readonly PathTraffic[];
  readonly loops: readonly { readonly loop: string; readonly handoffs: number }[];
  readonly unmatchedInputs: readonly { readonly runId: string; readonly input?: string }[];
}

export interface StartRequest {
  readonly input: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly conversation?: string;
}

const run = (runId: string) => `/v1/runs/${encodeURIComponent(runId)}`;
const crew = (name: string) => `/v1/crews/${encodeURIComponent(name)}`;

/** What the studio asks of the server: the routes of its HTTP API, and nothing else. */
export const api = {
  crews: () => request<{ readonly crews: readonly CrewSummary[] }>("GET", "/v1/crews"),
  crew: (name: string, withPrompts = false) =>
    request<CrewSummary>("GET", `${crew(name)}${withPrompts ? "?prompts=true" : ""}`),
  graph: (name: string) => request<GraphJson>("GET", `${crew(name)}/graph?format=json`),
  plan: (name: string, limits: URLSearchParams) => request<PlanJson>("GET", `${crew(name)}/plan?${limits}`),
  coverage: (name: string) => request<CoverageJson>("GET", `${crew(name)}/coverage`),
  traffic: (name: string) => request<Statistics>("GET", `${crew(name)}/stats?limit=50`),
  days: (days: number) => request<{ readonly groups: readonly DayFigures[] }>("GET", `/v1/stats?by=day&days=${days}`),
  start: (name: string, body: StartRequest) => request<{ readonly runId: string }>("POST", `${crew(name)}/runs`, body),
  runs: (query: URLSearchParams) => request<RunPage>("GET", `/v1/runs?${query}`),
  run: (runId: string) => request<RunResult>("GET", run(runId)),
  events: (runId: string, from: number) =>
    request<{ readonly events: readonly BatonEvent[] }>("GET", `${run(runId)}/events?from=${from}&limit=1000`),
  diagnosis: (runId: string) => request<{ readonly findings: readonly Finding[] }>("GET", `${run(runId)}/diagnosis`),
  inbox: () => request<RunPage>("GET", "/v1/inbox"),
  resume: (runId: string, answer: ResumeAnswer) => request<RunResult>("POST", `${run(runId)}/resume`, answer),
  cancel: (runId: string) => request<unknown>("POST", `${run(runId)}/cancel`, {}),
  fork: (runId: string, change: unknown) => request<{ readonly runId: string }>("POST", `${run(runId)}/fork`, change),
  scenario: (runId: string) => request<{ readonly scenario: string }>("POST", `${run(runId)}/scenario`),
};
