import { type FormEvent, useState } from "react";
import { api } from "../api/studio-api.ts";
import { Problem } from "../parts/problem.tsx";
import { linkTo } from "../router/parse-route.ts";
import { navigate } from "../router/use-location.ts";
import { readVariables } from "./read-variables.ts";

/** Starts a run of a crew and goes to its page. */
export function StartForm({ crew }: { readonly crew: string }) {
  const [input, setInput] = useState("");
  const [variables, setVariables] = useState("");
  const [conversation, setConversation] = useState("");
  const [problem, setProblem] = useState("");
  const start = async (event: FormEvent) => {
    event.preventDefault();
    const read = readVariables(variables);
    if ("problem" in read) return setProblem(read.problem);
    try {
      const named = conversation.trim();
      const { runId } = await api.start(crew, {
        input,
        ...(Object.keys(read.variables).length > 0 && { variables: read.variables }),
        ...(named !== "" && { conversation: named }),
      });
      navigate(linkTo("runs", runId));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form className="panel body stack" onSubmit={(event) => void start(event)}>
      <label className="field">
        <span>Input</span>
        <textarea className="input" rows={4} value={input} onChange={({ target }) => setInput(target.value)} required />
      </label>
      <details>
        <summary className="muted">Variables and conversation</summary>
        <div className="stack" style={{ paddingTop: 8 }}>
          <label className="field">
            <span>Variables, one a line: name=value</span>
            <textarea
              className="input"
              rows={2}
              value={variables}
              onChange={({ target }) => setVariables(target.value)}
            />
          </label>
          <label className="field">
            <span>Conversation to continue</span>
            <input className="input" value={conversation} onChange={({ target }) => setConversation(target.value)} />
          </label>
        </div>
      </details>
      <div className="row">
        <button type="submit" className="button primary">
          Run {crew}
        </button>
      </div>
      <Problem text={problem} />
    </form>
  );
}
