import type { EventOf } from "../../../src/vocabulary/events.ts";
import { type DetailProps, Facts } from "./detail-parts.tsx";
import { explainHandoff } from "./explain-handoff.ts";

/** A handoff: what decided it, and the words that raised its signal. */
export function HandoffDetail({ event, events, onChoose }: DetailProps<EventOf<"handoff">>) {
  const { from, to, via, reason, n, circular } = event.data;
  const why = explainHandoff(event, events);
  return (
    <>
      <Facts
        facts={{
          handoff: `${from} → ${to}`,
          by: via.replace("_", "-"),
          reason,
          number: n,
          ...(circular && { note: "The work went back to an agent that already had it." }),
        }}
      />
      {why.token !== "" && (
        <div className="stack">
          <h3>The words that raised {why.signal?.data.signal}</h3>
          <pre className="block">
            {why.before}
            <mark>{why.token}</mark>
            {why.after}
          </pre>
        </div>
      )}
      {why.answer !== undefined && (
        <button type="button" className="button plain" onClick={() => onChoose(why.answer?.seq)}>
          The whole answer, event #{why.answer.seq}
        </button>
      )}
    </>
  );
}
