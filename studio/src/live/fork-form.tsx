import { type FormEvent, useState } from "react";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { api, type CrewSummary } from "../api/studio-api.ts";
import { Problem } from "../parts/problem.tsx";
import { linkTo } from "../router/parse-route.ts";
import { navigate } from "../router/use-location.ts";
import { useMay } from "../shell/session-context.ts";
import { buildFork, type ForkKind, listForkKinds } from "./build-fork.ts";

/** Chooses the one thing that a fork changes, and starts it. */
export function ForkForm({
  runId,
  event,
  crew,
}: {
  readonly runId: string;
  readonly event: BatonEvent;
  readonly crew: CrewSummary;
}) {
  const isAdmin = useMay("admin");
  const kinds = listForkKinds(event).filter(({ kind }) => isAdmin || kind === "input" || kind === "nothing");
  const promptOf = (id: string) => crew.agents.find((agent) => agent.id === id)?.prompt ?? "";
  const [agent, setAgent] = useState(event.agent ?? crew.agents[0]?.id ?? "");
  const [kind, setKind] = useState<ForkKind>(kinds[0]?.kind ?? "nothing");
  const [text, setText] = useState(kinds[0]?.kind === "prompt" ? promptOf(agent) : (kinds[0]?.text ?? ""));
  const [problem, setProblem] = useState("");
  const choose = (chosen: ForkKind, of: string) => {
    setKind(chosen);
    setAgent(of);
    setText(chosen === "prompt" ? promptOf(of) : (kinds.find((each) => each.kind === chosen)?.text ?? ""));
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
        <select className="input" value={kind} onChange={({ target }) => choose(target.value as ForkKind, agent)}>
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
          <select className="input" value={agent} onChange={({ target }) => choose(kind, target.value)}>
            {crew.agents.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      )}
      {kind !== "nothing" && (
        <label className="field">
          <span>{kinds.find((each) => each.kind === kind)?.label}</span>
          <textarea
            className="input mono"
            rows={kind === "model" ? 1 : 10}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      )}
      <div className="row">
        <button type="submit" className="button primary">
          Fork and compare
        </button>
      </div>
      <Problem text={problem} />
    </form>
  );
}
