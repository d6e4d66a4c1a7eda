import { Counter, type Registry } from "prom-client";
import type { BatonEvent } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";

/** Names come from crews and models: more of them than this are counted together, so that the figures stay bounded. */
const MAX_NAMES = 500;

/** Creates the function that counts the events of this process's runs. */
export function createEventCounter(registry: Registry): (event: BatonEvent) => void {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `baton_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const runs = counter("runs_total", "Runs of this server that reached a status", ["crew", "status"]);
  const calls = counter("model_calls_total", "Model calls", ["crew", "agent", "model"]);
  const tokens = counter("tokens_total", "Tokens used", ["crew", "agent", "model", "kind"]);
  const dollars = counter("cost_usd_total", "Dollars spent", ["crew", "agent", "model"]);
  const handoffs = counter("handoffs_total", "Handoffs", ["crew", "from", "to", "via"]);
  const failures = counter("tool_failures_total", "Failed tool calls", ["crew", "tool"]);
  const refusals = counter("quota_refusals_total", "Calls that a quota refused", ["crew", "quota"]);
  const bound = createBound();
  const crews = new Map<string, string>();
  const countCall = (crew: string, event: Extract<BatonEvent, { type: "model.completed" | "model.failed" }>) => {
    const { model, usage, costUsd } = event.data;
    const labels = { crew, agent: bound(nameSpeaker(event)), model: bound(model) };
    calls.inc(labels);
    if (usage !== undefined) tokens.inc({ ...labels, kind: "input" }, usage.input);
    if (usage !== undefined) tokens.inc({ ...labels, kind: "output" }, usage.output);
    if (costUsd !== undefined) dollars.inc(labels, costUsd);
  };
  return (event) => {
    if (event.type === "run.started") crews.set(event.runId, bound(event.data.crew));
    const crew = crews.get(event.runId) ?? "unknown";
    const status = statuses[event.type];
    if (status !== undefined) runs.inc({ crew, status });
    if (status !== undefined && status !== "started" && status !== "paused") crews.delete(event.runId);
    if (event.type === "model.completed" || event.type === "model.failed") countCall(crew, event);
    else if (event.type === "handoff") {
      const { from, to, via } = event.data;
      handoffs.inc({ crew, from: bound(from), to: bound(to), via });
    } else if (event.type === "tool.failed") failures.inc({ crew, tool: bound(event.data.tool) });
    else if (event.type === "quota.exceeded") refusals.inc({ crew, quota: event.data.quota });
  };
}

const statuses: Partial<Record<BatonEvent["type"], string>> = {
  "run.started": "started",
  "run.paused": "paused",
  "run.completed": "completed",
  "run.failed": "failed",
  "run.cancelled": "cancelled",
};

function createBound(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size >= MAX_NAMES && !known.has(name)) return "other";
    known.add(name);
    return name;
  };
}
