import { type FormEvent, useState } from "react";
import type { Decision, Paused, ResumeAnswer } from "../../../src/vocabulary/pause.ts";
import { buildAnswer, listDecisions } from "./build-answer.ts";

/** The answer to a paused run: words, a decision, edited arguments or a larger quota, as the question takes them. */
export function AnswerForm({
  paused,
  onAnswer,
}: {
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
        {decisions.length === 0 && (
          <button type="submit" className="button primary" disabled={isBusy}>
            Send
          </button>
        )}
      </div>
      {problem !== "" && (
        <div className="notice bad" role="alert">
          {problem}
        </div>
      )}
    </form>
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
