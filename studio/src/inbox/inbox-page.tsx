import { useState } from "react";
import { api, type RunRow } from "../api/studio-api.ts";
import type { Resource } from "../api/use-resource.ts";
import { Empty } from "../parts/empty.tsx";
import { formatAgo } from "../parts/format.ts";
import { Loaded } from "../parts/loaded.tsx";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";
import { AnswerForm } from "./answer-form.tsx";

/** Everything that waits for a human, across crews. */
export function InboxPage({
  waiting,
  onAnswered,
}: {
  readonly waiting: Resource<readonly RunRow[]>;
  readonly onAnswered: () => void;
}) {
  return (
    <div className="page">
      <header>
        <h1>Inbox</h1>
      </header>
      <Loaded resource={waiting}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing waits for you">
              <p>Runs that need an approval, an answer or a larger quota appear here.</p>
            </Empty>
          ) : (
            <>
              <Together rows={rows} onAnswered={onAnswered} />
              {rows.map((row) => (
                <Question key={row.runId} row={row} onAnswered={onAnswered} />
              ))}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function Question({ row, onAnswered }: { readonly row: RunRow; readonly onAnswered: () => void }) {
  const { paused } = row;
  if (paused === undefined) return null;
  return (
    <section className="panel" aria-label={`${row.crew} waits`}>
      <header>
        <h2>{row.crew}</h2>
        <span className="badge warn">{paused.reason.replaceAll("_", " ")}</span>
        <span className="muted">
          {paused.agent} · {formatAgo(row.updatedAt, Date.now())}
        </span>
        <Link className="end" href={linkTo("runs", row.runId)}>
          What led here
        </Link>
      </header>
      <div className="body stack">
        {row.input !== undefined && <p className="muted cut">The run began with: {row.input}</p>}
        <p className="text">{paused.prompt}</p>
        <AnswerForm
          crew={row.crew}
          paused={paused}
          onAnswer={(answer) => api.resume(row.runId, answer).then(onAnswered)}
        />
      </div>
    </section>
  );
}

/** Answers several questions of one kind with one decision. */
function Together({ rows, onAnswered }: { readonly rows: readonly RunRow[]; readonly onAnswered: () => void }) {
  const [problem, setProblem] = useState("");
  const alike = rows.filter(({ paused }) => paused?.options.includes("approve") === true);
  if (alike.length < 2) return null;
  const decide = async (decision: "approve" | "reject") => {
    const results = await Promise.allSettled(alike.map(({ runId }) => api.resume(runId, { decision })));
    const failed = results.flatMap((result, index) =>
      result.status === "rejected" ? [`${alike[index]?.runId}: ${(result.reason as Error).message}`] : [],
    );
    setProblem(failed.join("\n"));
    onAnswered();
  };
  return (
    <div className="notice">
      <span className="grow">{alike.length} runs wait for an approval.</span>
      <button type="button" className="button" onClick={() => void decide("approve")}>
        Approve all
      </button>
      <button type="button" className="button" onClick={() => void decide("reject")}>
        Reject all
      </button>
      {problem !== "" && <p className="text">{problem}</p>}
    </div>
  );
}
