import { type FormEvent, useState } from "react";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { api } from "../api/studio-api.ts";
import { linkTo } from "../router/parse-route.ts";
import { navigate } from "../router/use-location.ts";
import { describeEvent } from "../run/describe-event.ts";
import { findEvent } from "../run/run-data.ts";
import { useRunEvents } from "../run/use-run-events.ts";
import { buildFork, type ForkKind, listForkKinds } from "./build-fork.ts";

/** Starts a new run out of an old one with one thing changed. The old run stays as it is. */
export function ForkPage({ runId, at }: { readonly runId: string; readonly at: number }) {
  const { events, problem } = useRunEvents(runId);
  const event = findEvent(events, at);
  if (event === undefined) return <p className="page muted">{problem ?? "Loading…"}</p>;
  return (
    <div className="page">
      <header>
        <h1>Fork at event #{at}</h1>
      </header>
      <section className="panel body stack">
        <span className="mono">{event.type}</span>
        <p className="text">{describeEvent(event)}</p>
      </section>
      <AheadNotice events={events} at={at} />
      <ForkForm key={at} runId={runId} event={event} />
    </div>
  );
}

/** Says which tools came after the event, since the new run may call them again. */
function AheadNotice({ events, at }: { readonly events: readonly BatonEvent[]; readonly at: number }) {
  const ahead = events.flatMap((event) =>
    event.type === "tool.called" && (event.seq ?? 0) > at ? [event.data.tool] : [],
  );
  const names = [...new Set(ahead)];
  if (names.length === 0) return <div className="notice">The old run called no tools after this event.</div>;
  return (
    <div className="notice warn">
      <span>
        The old run called {names.length === 1 ? "a tool" : "tools"} after this event: {names.join(", ")}. The new run
        may call them again, for real.
      </span>
    </div>
  );
}

function ForkForm({ runId, event }: { readonly runId: string; readonly event: BatonEvent }) {
  const kinds = listForkKinds(event);
  const [kind, setKind] = useState<ForkKind>(kinds[0]?.kind ?? "model");
  const [agent, setAgent] = useState(event.agent ?? "");
  const [text, setText] = useState(kinds[0]?.text ?? "");
  const [problem, setProblem] = useState("");
  const choose = (chosen: ForkKind) => {
    setKind(chosen);
    setText(kinds.find((each) => each.kind === chosen)?.text ?? "");
  };
  const start = async (submitted: FormEvent) => {
    submitted.preventDefault();
    try {
      const fork = await api.fork(runId, buildFork(kind, event.seq ?? 0, { text, agent }));
      navigate(linkTo("compare", runId, fork.runId));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form className="panel body stack" onSubmit={(submitted) => void start(submitted)}>
      <label className="field">
        <span>What changes</span>
        <select className="input" value={kind} onChange={({ target }) => choose(target.value as ForkKind)}>
          {kinds.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.title}
            </option>
          ))}
        </select>
      </label>
      {kind === "prompt" && (
        <label className="field">
          <span>Agent</span>
          <input className="input" value={agent} onChange={({ target }) => setAgent(target.value)} />
        </label>
      )}
      {kind !== "nothing" && (
        <label className="field">
          <span>{kinds.find((each) => each.kind === kind)?.label}</span>
          <textarea className="input" rows={6} value={text} onChange={({ target }) => setText(target.value)} />
        </label>
      )}
      <div className="row">
        <button type="submit" className="button primary">
          Fork and compare
        </button>
      </div>
      {problem !== "" && (
        <div className="notice bad" role="alert">
          {problem}
        </div>
      )}
    </form>
  );
}
