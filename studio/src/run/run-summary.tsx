import { buildResult } from "../../../src/views/run-result.ts";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { formatCount, formatMs, formatUsd } from "../parts/format.ts";
import { StatusBadge } from "../parts/status-badge.tsx";
import type { RunFinding } from "./run-data.ts";

/** Three lines that say how a run stands: the outcome, the first finding, the cost and whom it waits for. */
export function RunSummary({
  events,
  findings,
  onChoose,
}: {
  readonly events: readonly BatonEvent[];
  readonly findings: readonly RunFinding[];
  readonly onChoose: (seq: number | undefined) => void;
}) {
  const result = buildResult(events);
  const [finding] = findings;
  const first = events[0]?.ts ?? 0;
  const last = events.at(-1)?.ts ?? first;
  return (
    <section className="panel summary" aria-label="Summary">
      <div>
        <span className="row">
          <StatusBadge status={result.status} />
          <span className="muted">{explainStop(result.stopReason, result.error?.message)}</span>
        </span>
        <strong>{result.output === "" ? "No answer yet." : result.output}</strong>
      </div>
      <div>
        <span className="muted">{finding === undefined ? "Findings" : `First of ${findings.length} findings`}</span>
        {finding === undefined ? (
          <strong>Nothing went wrong.</strong>
        ) : (
          <button
            type="button"
            className="button plain"
            style={finderStyle}
            onClick={() => onChoose(finding.events[0])}
          >
            <strong>{finding.title}</strong>
          </button>
        )}
      </div>
      <div>
        <span className="muted">
          {formatUsd(result.cost.usd)} · {formatCount(result.usage.total)} tokens · {formatMs(last - first)} ·{" "}
          {result.handoffs} handoffs
        </span>
        <strong>{result.paused === undefined ? "Waits for nobody." : `Waits for you: ${result.paused.prompt}`}</strong>
      </div>
    </section>
  );
}

const finderStyle = {
  whiteSpace: "normal",
  textAlign: "left",
  justifyContent: "flex-start",
  padding: 0,
  color: "var(--bad)",
} as const;

function explainStop(reason: string | undefined, message: string | undefined): string {
  return message ?? (reason === undefined ? "" : reason.replaceAll("_", " "));
}
