type RunTab = "transcript" | "tree" | "events";

/** What is shown of a run. All of it stands in the address, so that back, reload and a shared link show the same. */
export interface RunView {
  readonly tab: RunTab;
  /** The newest event that is shown; undefined for all, and for what still comes. */
  readonly at: number | undefined;
  readonly chosen: number | undefined;
  readonly trueTime: boolean;
  readonly query: string;
  readonly kinds: readonly string[];
  /** The part of the time line that is looked at, from 0 to 1. */
  readonly range: readonly [number, number];
}

export const firstView: RunView = {
  tab: "transcript",
  at: undefined,
  chosen: undefined,
  trueTime: false,
  query: "",
  kinds: [],
  range: [0, 1],
};

export function readRunView(params: URLSearchParams): RunView {
  const tab = params.get("tab");
  const range = (params.get("range") ?? "").split("-").map(Number);
  const [from = Number.NaN, to = Number.NaN] = range;
  return {
    tab: tab === "tree" || tab === "events" ? tab : "transcript",
    at: readNumber(params.get("at")),
    chosen: readNumber(params.get("event")),
    trueTime: params.get("time") === "true",
    query: params.get("q") ?? "",
    kinds: (params.get("kinds") ?? "").split(",").filter((kind) => kind !== ""),
    range: from >= 0 && to <= 1 && from < to ? [from, to] : [0, 1],
  };
}

export function writeRunView(view: RunView): URLSearchParams {
  const params = new URLSearchParams();
  if (view.tab !== "transcript") params.set("tab", view.tab);
  if (view.at !== undefined) params.set("at", String(view.at));
  if (view.chosen !== undefined) params.set("event", String(view.chosen));
  if (view.trueTime) params.set("time", "true");
  if (view.query !== "") params.set("q", view.query);
  if (view.kinds.length > 0) params.set("kinds", view.kinds.join(","));
  const [from, to] = view.range;
  if (from > 0 || to < 1) params.set("range", `${from.toFixed(4)}-${to.toFixed(4)}`);
  return params;
}

function readNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}
