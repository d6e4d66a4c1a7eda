import type { InnerTool } from "../session/session-tool.ts";
import type { EventData } from "../vocabulary/events.ts";
import type { CrewRun } from "./crew-run.ts";

type Item = EventData["todo.set"]["items"][number];

const MAX_ITEMS = 200;
const MAX_CHARS = 2000;
const statuses: readonly string[] = ["pending", "in_progress", "completed"];

/** The tools of a plan that all agents of a run share: one writes it as a whole, the other reads it. */
export function todoTool(name: string, { world, shared }: CrewRun): InnerTool {
  const isWriting = name.endsWith("__write");
  return {
    kind: "inner",
    name,
    description: isWriting
      ? "Writes the plan of this run, all of it, in place of the plan that was there."
      : "Gives the plan of this run.",
    parameters: isWriting ? writing : { type: "object", properties: {}, additionalProperties: false },
    run: async (args, place) => {
      if (!isWriting) return { result: formatPlan(shared.plan ?? []) };
      const items = readItems(args["items"]);
      if ("problem" in items) return items;
      shared.plan = items.value;
      world.run.emit(place, "todo.set", { items: items.value });
      return { result: formatPlan(items.value) };
    },
  };
}

const writing = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: { text: { type: "string" }, status: { type: "string", enum: statuses } },
        required: ["text", "status"],
      },
    },
  },
  required: ["items"],
};

function readItems(given: unknown): { readonly value: readonly Item[] } | { readonly problem: string } {
  if (!Array.isArray(given) || given.length > MAX_ITEMS)
    return { problem: `'items' must be a list of up to ${MAX_ITEMS}` };
  const value: Item[] = [];
  for (const each of given) {
    // Models also write a plan's item as `content`, as other products have it.
    const {
      text,
      content = text,
      status,
    } = (typeof each === "object" && each !== null ? each : {}) as Record<string, unknown>;
    if (typeof content !== "string" || content === "") return { problem: "each item needs a 'text'" };
    if (!isStatus(status)) return { problem: `'status' must be one of ${statuses.join(", ")}` };
    value.push({ text: content.slice(0, MAX_CHARS), status });
  }
  return { value };
}

function isStatus(value: unknown): value is Item["status"] {
  return typeof value === "string" && statuses.includes(value);
}

function formatPlan(items: readonly Item[]): string {
  const marks = { pending: " ", in_progress: "~", completed: "x" };
  return items.length === 0
    ? "there is no plan yet"
    : items.map(({ text, status }) => `[${marks[status]}] ${text}`).join("\n");
}
