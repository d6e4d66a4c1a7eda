import { type FormEvent, useState } from "react";
import { api, type RunRow } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { linkTo } from "../router/parse-route.ts";
import { navigate } from "../router/use-location.ts";
import { ChatTurn } from "./chat-turn.tsx";

/** A conversation with a crew. Each turn is a run of its own, with its agents, what they thought, and what they ask. */
export function ChatPage({ crew, conversation }: { readonly crew: string; readonly conversation: string | undefined }) {
  const key = `chat ${crew} ${conversation}`;
  const turns = useResource<readonly RunRow[]>(key, () => listTurns(crew, conversation));
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState<string>();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const name = conversation ?? `chat-${crypto.randomUUID().slice(0, 8)}`;
    try {
      await api.start(crew, { input: words, conversation: name });
      setWords("");
      setProblem(undefined);
      if (conversation === undefined) navigate(linkTo("crews", crew, "chat", name), { replace: true });
      turns.reload();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const rows = turns.value ?? [];
  return (
    <div className="page chat">
      <header>
        <h1>Chat with {crew}</h1>
        {conversation !== undefined && <span className="muted mono">{conversation}</span>}
        {conversation !== undefined && (
          <button type="button" className="button end" onClick={() => navigate(linkTo("crews", crew, "chat"))}>
            New conversation
          </button>
        )}
      </header>
      {rows.length === 0 && (
        <Empty title="Say something">
          <p>Each message is a run of the crew. It knows what was said before in this conversation.</p>
        </Empty>
      )}
      {rows.map((row) => (
        <ChatTurn key={row.runId} row={row} />
      ))}
      <form className="row chat-form" onSubmit={(event) => void send(event)}>
        <textarea
          className="input grow"
          rows={2}
          aria-label="Your message"
          placeholder={`Write to ${crew}… (Enter sends, Shift+Enter begins a new line)`}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <button type="submit" className="button primary" disabled={words.trim() === ""}>
          Send
        </button>
      </form>
      <Problem text={problem} />
    </div>
  );
}

async function listTurns(crew: string, conversation: string | undefined): Promise<readonly RunRow[]> {
  if (conversation === undefined) return [];
  const { runs } = await api.runs(new URLSearchParams({ crew, conversation, limit: "100" }));
  return runs.toReversed();
}
