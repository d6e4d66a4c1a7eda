import { useMemo } from "react";
import { buildResult } from "../../../src/views/run-result.ts";
import { buildTranscript } from "../../../src/views/transcript.ts";
import type { RunRow } from "../api/studio-api.ts";
import { api } from "../api/studio-api.ts";
import { AnswerForm } from "../inbox/answer-form.tsx";
import { formatMs, formatUsd } from "../parts/format.ts";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";
import { describeEntry } from "../run/describe-entry.ts";
import { useRunEvents } from "../run/use-run-events.ts";

/** One message and what the crew made of it: agents by name, tools and thoughts folded, a question with its buttons. */
export function ChatTurn({ row }: { readonly row: RunRow }) {
  const run = useRunEvents(row.runId);
  const { events, streams } = run;
  const entries = useMemo(
    () => buildTranscript(events).map((entry, index) => ({ index, entry, words: describeEntry(entry) })),
    [events],
  );
  const said = entries.filter(({ entry }) => entry.type === "said" && entry.from !== "user");
  const aside = entries.filter(({ words }) => words.isQuiet);
  if (events.length === 0) return <p className="muted">{run.problem ?? "Loading…"}</p>;
  const { status, paused, error, cost, output } = buildResult(events);
  const took = (events.at(-1)?.ts ?? 0) - (events[0]?.ts ?? 0);
  const last = said.at(-1)?.words.text;
  return (
    <section className="turn" aria-label={`Turn: ${row.input ?? row.runId}`}>
      <p className="bubble own text">{row.input}</p>
      {aside.length > 0 && (
        <details className="muted">
          <summary>{aside.length} steps on the way</summary>
          {aside.map(({ index, words }) => (
            <p key={index} className="text">
              {words.sign} {words.who} {words.text}
            </p>
          ))}
        </details>
      )}
      {said.map(({ index, words }) => (
        <div key={index} className="bubble">
          <strong>{words.who}</strong>
          <p className="text">{words.text}</p>
        </div>
      ))}
      {[...streams].map(([path, text]) => (
        <p key={path} className="bubble text" aria-live="polite">
          {text}
        </p>
      ))}
      {status === "completed" && output !== "" && output !== last && said.length === 0 && (
        <p className="bubble text">{output}</p>
      )}
      {error !== undefined && <div className="notice bad">{error.message}</div>}
      {paused !== undefined && (
        <div className="bubble">
          <strong>{paused.agent} asks</strong>
          <p className="text">{paused.prompt}</p>
          <AnswerForm
            crew={row.crew}
            paused={paused}
            onAnswer={(answer) => api.resume(row.runId, answer).then(run.reconnect)}
          />
        </div>
      )}
      <Link className="muted small" href={linkTo("runs", row.runId)}>
        {status} · {formatMs(took)} · {formatUsd(cost.usd)} · see the run
      </Link>
    </section>
  );
}
