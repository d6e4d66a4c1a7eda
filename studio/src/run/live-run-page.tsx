import { type ReactNode, useMemo, useState } from "react";
import { buildResult } from "../../../src/views/run-result.ts";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { api } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { readGraph } from "../graph/graph-data.ts";
import { AnswerForm } from "../inbox/answer-form.tsx";
import { downloadText } from "../parts/download-text.ts";
import { Empty } from "../parts/empty.tsx";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";
import { navigate, useLocation } from "../router/use-location.ts";
import { useMay } from "../shell/session-context.ts";
import { CallRequest } from "./call-request.tsx";
import { HandoffOthers } from "./handoff-others.tsx";
import type { RunData } from "./run-data.ts";
import { RunGraph } from "./run-graph.tsx";
import { RunPage } from "./run-page.tsx";
import { type RunView, readRunView, writeRunView } from "./run-state.ts";
import { useRunEvents } from "./use-run-events.ts";

/** The page of a run on a server: it follows the run while it goes on, and lets one act on it. */
export function LiveRunPage({ runId }: { readonly runId: string }) {
  const { params } = useLocation();
  const view = useMemo(() => readRunView(params), [params]);
  const mayRead = useMay("admin");
  const run = useRunEvents(runId);
  const [first] = run.events;
  const crew = first?.type === "run.started" ? first.data.crew : undefined;
  const findings = useResource(`findings ${runId} ${run.hasEnded}`, () => api.diagnosis(runId));
  const graph = useResource(`graph ${crew}`, async () =>
    crew === undefined ? undefined : readGraph(await api.graph(crew)),
  );
  const change = (changed: Partial<RunView>) =>
    navigate(`${linkTo("runs", runId)}?${writeRunView({ ...view, ...changed })}`, {
      replace: changed.chosen === undefined,
    });
  if (run.problem !== undefined && run.events.length === 0)
    return (
      <Empty title="This run is not here" command="npx baton runs">
        <p>{run.problem}</p>
      </Empty>
    );
  if (first === undefined || crew === undefined) return <p className="page muted">Loading…</p>;
  const data: RunData = {
    runId,
    crew,
    events: run.events,
    findings: (findings.value?.findings ?? []).map(({ evidence, ...finding }) => ({
      ...finding,
      events: evidence.map(({ seq }) => seq),
    })),
    streams: run.streams,
  };
  return (
    <RunPage
      data={data}
      view={view}
      onChange={change}
      actions={
        <Actions runId={runId} crew={crew} events={run.events} chosen={view.chosen} onAnswered={run.reconnect} />
      }
      graph={graph.value && drawWith(graph.value, change)}
      more={(event) => {
        if (event.type === "handoff") return <HandoffOthers crew={crew} event={event} />;
        if (event.type !== "model.called" || !mayRead) return null;
        return <CallRequest key={event.seq} runId={runId} event={event} events={run.events} />;
      }}
    />
  );
}

function drawWith(graph: ReturnType<typeof readGraph>, onChange: (change: Partial<RunView>) => void) {
  return (shown: readonly BatonEvent[]): ReactNode => <RunGraph graph={graph} events={shown} onChange={onChange} />;
}

interface ActionProps {
  readonly runId: string;
  readonly crew: string;
  readonly events: readonly BatonEvent[];
  readonly chosen: number | undefined;
  readonly onAnswered: () => void;
}

function Actions({ runId, crew, events, chosen, onAnswered }: ActionProps) {
  const [message, setMessage] = useState("");
  const mayRecord = useMay("admin");
  const mayAnswer = useMay("answer");
  const { status, paused } = buildResult(events);
  const say = (done: Promise<unknown>, words: string) =>
    void done.then(
      () => setMessage(words),
      (error: Error) => setMessage(error.message),
    );
  const at = chosen ?? events.at(-1)?.seq ?? 0;
  return (
    <>
      {paused !== undefined && mayAnswer && (
        <details className="panel" style={{ padding: 8, maxWidth: 420 }}>
          <summary>Answer</summary>
          <AnswerForm crew={crew} paused={paused} onAnswer={(answer) => api.resume(runId, answer).then(onAnswered)} />
        </details>
      )}
      {(status === "running" || status === "paused") && mayAnswer && (
        <button type="button" className="button danger" onClick={() => say(api.cancel(runId), "Cancelling…")}>
          Cancel
        </button>
      )}
      <Link className="button" href={linkTo("runs", runId, "fork", at)}>
        Fork at #{at}
      </Link>
      {mayRecord && (
        <button
          type="button"
          className="button"
          onClick={() =>
            say(
              api.scenario(runId).then(({ scenario }) => downloadText("run.scenario.yaml", scenario)),
              "",
            )
          }
        >
          Record as scenario
        </button>
      )}
      <a className="button" href={`/v1/runs/${encodeURIComponent(runId)}/export`} download>
        Export
      </a>
      {message !== "" && <span role="status">{message}</span>}
    </>
  );
}
