import { useMemo } from "react";
import { overlayPlan } from "../../../src/flow/plan/overlay-plan.ts";
import type { Figures, PlanJson } from "../../../src/flow/plan/plan.ts";
import { api } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { readGraph } from "../graph/graph-data.ts";
import { LazyCrewGraph } from "../graph/lazy-crew-graph.tsx";
import { formatCount, formatMs, formatUsd } from "../parts/format.ts";
import { Loaded } from "../parts/loaded.tsx";
import { linkTo } from "../router/parse-route.ts";
import { navigate, useLocation } from "../router/use-location.ts";

const limits = [
  { key: "max_handoffs", title: "Handoffs at most", least: 0 },
  { key: "max_rounds", title: "Answers at most", least: 1 },
] as const;

/** What a run can do and cost at worst, on the drawing of the crew. Other limits show what they would change. */
export function PlanPane({ crew }: { readonly crew: string }) {
  const { params } = useLocation();
  const query = new URLSearchParams([...params].filter(([key]) => limits.some((limit) => limit.key === key)));
  const plan = useResource(`plan ${crew} ${query}`, () => api.plan(crew, query));
  const usual = useResource(`plan ${crew} `, () => api.plan(crew, new URLSearchParams()));
  const graph = useResource(`graph ${crew}`, async () => readGraph(await api.graph(crew)));
  const drawn = useMemo(
    () => (graph.value === undefined || plan.value === undefined ? undefined : overlayPlan(graph.value, plan.value)),
    [graph.value, plan.value],
  );
  const change = (key: string, value: string) => {
    const next = new URLSearchParams(query);
    if (value === "") next.delete(key);
    else next.set(key, value);
    navigate(`${linkTo("crews", crew, "plan")}?${next}`, { replace: true });
  };
  return (
    <>
      <section className="panel body row wrap limits" aria-label="Limits">
        {limits.map(({ key, title, least }) => (
          <label key={key} className="field">
            <span>{title}</span>
            <input
              className="input"
              type="number"
              min={least}
              placeholder="as in the crew"
              value={query.get(key) ?? ""}
              onChange={({ target }) => change(key, target.value)}
            />
          </label>
        ))}
        <p className="muted">Try other limits. The crew's files stay as they are.</p>
      </section>
      <Loaded resource={plan}>{(value) => <PlanFigures plan={value} usual={usual.value ?? value} />}</Loaded>
      <section className="panel" aria-label="Graph">
        {drawn !== undefined && <LazyCrewGraph graph={drawn} height={460} />}
      </section>
    </>
  );
}

const rows: readonly (readonly [keyof Figures, string, (value: number) => string])[] = [
  ["costUsd", "Cost", formatUsd],
  ["modelCalls", "Model calls", formatCount],
  ["toolCalls", "Tool calls", formatCount],
  ["handoffs", "Handoffs", formatCount],
  ["outputTokens", "Output tokens", formatCount],
  ["seconds", "Time", (seconds) => formatMs(seconds * 1000)],
];

function PlanFigures({ plan, usual }: { readonly plan: PlanJson; readonly usual: PlanJson }) {
  const { worst, likely, suggestions, loops, deadEnds, unreachable } = plan;
  return (
    <section className="panel" aria-label="Plan">
      <table className="table">
        <thead>
          <tr>
            <th>One run</th>
            <th className="number">At worst</th>
            <th className="number">Likely{likely !== null && likely.runs > 0 ? `, from ${likely.runs} runs` : ""}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, title, format]) => (
            <tr key={key}>
              <td>{title}</td>
              <td className="number">
                {showFigure(worst[key], format)}
                {usual.worst[key] !== worst[key] && (
                  <span className="muted"> (now {showFigure(usual.worst[key], format)})</span>
                )}
              </td>
              <td className="number">{likely === null ? "–" : showFigure(likely[key], format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="body stack">
        <p>
          The costliest run: <span className="mono">{shortenPath(worst.path)}</span>, ended by {worst.endsBy}.
        </p>
        {likely?.assumed !== undefined && <p className="muted">Likely is an assumption: {likely.assumed}.</p>}
        {suggestions.map(({ key, from, to, savesUsd }) => (
          <p key={key}>
            <span className="mono">
              {key}: {to}
            </span>{" "}
            instead of {from ?? "no limit"}
            {savesUsd !== null && savesUsd > 0
              ? ` would save ${formatUsd(savesUsd)} at worst.`
              : " would lower the worst case."}
          </p>
        ))}
        {loops.map(({ agents, endsBy }) => (
          <p key={agents.join()} className="muted">
            Only {endsBy} ends the loop {agents.join(" → ")}.
          </p>
        ))}
        {deadEnds.length > 0 && <p className="muted">Dead ends: {deadEnds.join(", ")}</p>}
        {unreachable.length > 0 && <p className="muted">Never reached: {unreachable.join(", ")}</p>}
      </div>
    </section>
  );
}

function showFigure(value: number | null, format: (value: number) => string): string {
  return value === null ? "no bound known" : format(value);
}

const SHOWN = 8;

function shortenPath(path: readonly string[]): string {
  const shown = path.slice(0, SHOWN).join(" → ");
  return path.length > SHOWN ? `${shown} → … ${path.length - SHOWN} more` : shown;
}
