import { type EventOf, nameSpeaker } from "../../../src/vocabulary/events.ts";
import { formatClock, formatCount, formatMs, formatUsd } from "../parts/format.ts";
import { JsonText } from "../parts/json-text.tsx";
import { type DetailProps, Facts } from "./detail-parts.tsx";
import { findReply } from "./find-reply.ts";
import { HandoffDetail } from "./handoff-detail.tsx";

/** Everything about one event. */
export function EventDetail({ event, events, onChoose, more }: DetailProps) {
  return (
    <section className="panel" aria-label="Details">
      <header>
        <h2 className="mono">{event.type}</h2>
        <span className="muted end">
          #{event.seq} · {formatClock(event.ts)}
        </span>
      </header>
      <div className="body stack">
        <Facts facts={{ who: nameSpeaker(event) || "the run", place: event.path || "the run itself" }} />
        <Body event={event} events={events} onChoose={onChoose} />
        {more?.(event)}
        <details>
          <summary className="muted">The event as JSON</summary>
          <JsonText value={event} />
        </details>
      </div>
    </section>
  );
}

function Body({ event, events, onChoose }: DetailProps) {
  switch (event.type) {
    case "model.called":
      return <ModelCall event={event} events={events} onChoose={onChoose} />;
    case "model.completed":
      return <Reply event={event} />;
    case "tool.called":
      return <ToolCall event={event} events={events} onChoose={onChoose} />;
    case "handoff":
      return <HandoffDetail event={event} events={events} onChoose={onChoose} />;
    case "agent.started":
    case "agent.told":
      return <Titled title="Input" value={event.data.input} />;
    case "agent.completed":
      return <Titled title="Answer" value={event.data.answer} />;
    default:
      return <JsonText value={event.data} />;
  }
}

function Titled({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <div className="stack">
      <h3>{title}</h3>
      <JsonText value={value} />
    </div>
  );
}

function ModelCall({ event, events, onChoose }: DetailProps<EventOf<"model.called">>) {
  const reply = findReply(event, events);
  const { model, turn, attempt, waitMs } = event.data;
  return (
    <>
      <Facts
        facts={{
          model,
          turn: `${turn + 1}${attempt > 1 ? `, attempt ${attempt}` : ""}`,
          waited: waitMs === undefined ? undefined : formatMs(waitMs),
        }}
      />
      {reply === undefined && <p className="muted">No reply yet.</p>}
      {reply?.type === "model.completed" && <Reply event={reply} />}
      {reply?.type === "model.failed" && (
        <div className="notice bad">
          <span>
            {reply.data.code}: {reply.data.message}
          </span>
        </div>
      )}
      {reply !== undefined && (
        <button type="button" className="button plain" onClick={() => onChoose(reply.seq)}>
          Event #{reply.seq}
        </button>
      )}
    </>
  );
}

function Reply({ event: { data } }: { readonly event: EventOf<"model.completed"> }) {
  const { usage, costUsd, ms, finish, text, reasoning, toolCalls } = data;
  return (
    <>
      {text !== "" && <Titled title="Reply" value={text} />}
      {toolCalls.map((call) => (
        <Titled key={`${call.name} ${JSON.stringify(call.args)}`} title={`Calls ${call.name}`} value={call} />
      ))}
      {reasoning !== undefined && (
        <details>
          <summary className="muted">Reasoning</summary>
          <JsonText value={reasoning} />
        </details>
      )}
      <Facts
        facts={{
          tokens: usage === undefined ? "unknown" : `${formatCount(usage.input)} in, ${formatCount(usage.output)} out`,
          cost: formatUsd(costUsd),
          time: ms === undefined ? undefined : formatMs(ms),
          finish,
        }}
      />
    </>
  );
}

function ToolCall({ event, events, onChoose }: DetailProps<EventOf<"tool.called">>) {
  const end = events.find(
    ({ type, path, seq = 0 }) =>
      (type === "tool.completed" || type === "tool.failed") && path === event.path && seq > (event.seq ?? 0),
  );
  return (
    <>
      <Titled title={`Arguments of ${event.data.tool}`} value={event.data.args} />
      {end?.type === "tool.completed" && <Titled title="Result" value={end.data.result} />}
      {end?.type === "tool.failed" && <Titled title="Failed" value={end.data.message} />}
      {end !== undefined && (
        <button type="button" className="button plain" onClick={() => onChoose(end.seq)}>
          Event #{end.seq}
        </button>
      )}
    </>
  );
}
