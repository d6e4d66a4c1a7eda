import { type FormEvent, useState } from "react";
import type { Decision, Paused, ResumeAnswer } from "../../../src/vocabulary/pause.ts";
import { api } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Problem } from "../parts/problem.tsx";
import { buildAnswer, listDecisions, takesRedirect } from "./build-answer.ts";

/** The answer to a paused run: words, a decision, edited arguments or a larger quota, as the question takes them. */
export function AnswerForm({
  crew,
  paused,
  onAnswer,
}: {
  readonly crew: string;
  readonly paused: Paused;
  readonly onAnswer: (answer: ResumeAnswer) => Promise<void>;
}) {
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const decisions = listDecisions(paused);
  const send = async (decision: Decision | undefined) => {
    const built = buildAnswer(paused, decision, words);
    if ("problem" in built) return setProblem(built.problem);
    setBusy(true);
    try {
      await onAnswer(built.answer);
      setProblem("");
      setWords("");
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(undefined);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span>{explainWords(paused)}</span>
        <textarea className="input" rows={2} value={words} onChange={({ target }) => setWords(target.value)} />
      </label>
      <div className="row wrap">
        {decisions.map((decision, index) => (
          <button
            key={decision}
            type="button"
            className={`button${index === 0 ? " primary" : ""}`}
            disabled={isBusy}
            onClick={() => void send(decision)}
          >
            {nameDecision(decision)}
          </button>
        ))}
        {takesRedirect(paused) && (
          <Redirect crew={crew} isBusy={isBusy} onChoose={(to) => void send(`redirect:${to}`)} />
        )}
        {decisions.length === 0 && (
          <button type="submit" className="button primary" disabled={isBusy}>
            Send
          </button>
        )}
      </div>
      <Problem text={problem} />
    </form>
  );
}

/** Sends the work to another agent than the one that was meant. */
function Redirect({
  crew,
  isBusy,
  onChoose,
}: {
  readonly crew: string;
  readonly isBusy: boolean;
  readonly onChoose: (agent: string) => void;
}) {
  const found = useResource(`crew ${crew}`, () => api.crew(crew));
  return (
    <select
      className="input narrow"
      aria-label="Redirect to another agent"
      value=""
      disabled={isBusy}
      onChange={({ target }) => onChoose(target.value)}
    >
      <option value="">Redirect to…</option>
      {found.value?.agents.map(({ id }) => (
        <option key={id}>{id}</option>
      ))}
    </select>
  );
}

function explainWords({ options }: Paused): string {
  if (options.includes("edit")) return "Words with a rejection, or edited arguments as JSON";
  if (options.includes("quota")) return "The new cap, such as max_cost_usd 2";
  if (options.includes("approve")) return "Words for the agent (may be left out)";
  if (options.includes("happened")) return "What the call returned, if it happened";
  return "Your answer";
}

function nameDecision(decision: Decision): string {
  const [name = "", target] = decision.split(":");
  const words = name.replace("_", " ");
  return target === undefined ? words[0]?.toUpperCase() + words.slice(1) : `Redirect to ${target}`;
}
