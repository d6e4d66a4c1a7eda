import type { RunStatus } from "../../../src/views/run-result.ts";

const looks: Readonly<Record<string, { readonly sign: string; readonly tone: string }>> = {
  queued: { sign: "…", tone: "" },
  running: { sign: "●", tone: "accent" },
  paused: { sign: "‖", tone: "warn" },
  completed: { sign: "✓", tone: "good" },
  failed: { sign: "✕", tone: "bad" },
  cancelled: { sign: "⊘", tone: "" },
};

/** How a run or a part of it stands, as a word and a sign, so that colour says nothing alone. */
export function StatusBadge({ status }: { readonly status: RunStatus | "queued" }) {
  const { sign, tone } = looks[status] ?? { sign: "?", tone: "" };
  return (
    <span className={`badge ${tone}`}>
      <span aria-hidden="true">{sign}</span>
      {status}
    </span>
  );
}
