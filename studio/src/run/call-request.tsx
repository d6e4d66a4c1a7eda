import { useState } from "react";
import type { BatonEvent, EventOf } from "../../../src/vocabulary/events.ts";
import { request } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { JsonText } from "../parts/json-text.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { type CallRequestJson, compareMessages, type SentMessage } from "./compare-messages.ts";
import { explainDropped, findPreviousCall } from "./find-previous-call.ts";

/** What a model call was sent, obtained by replay: first the messages that are new since the agent's previous call. */
export function CallRequest({
  runId,
  event,
  events,
}: {
  readonly runId: string;
  readonly event: EventOf<"model.called">;
  readonly events: readonly BatonEvent[];
}) {
  const before = findPreviousCall(event, events);
  const resource = useResource(`request ${runId} ${event.seq}`, async () => {
    const [call, previous] = await Promise.all([read(runId, event), before && read(runId, before)]);
    return { call, ...compareMessages({ ...call, ...(previous && { previous: previous.messages }) }) };
  });
  const [isWhole, setWhole] = useState(false);
  return (
    <div className="stack">
      <h3>What the model was sent</h3>
      <Loaded resource={resource} loading="Replaying the run up to this call…">
        {({ call, added, dropped, repeated }) => (
          <>
            <p className="muted">
              {added.length} new {added.length === 1 ? "message" : "messages"}
              {before === undefined ? ": this is the agent's first call" : " since this agent's previous call"}
              {repeated > 0 && `, ${repeated} sent again`}
            </p>
            <Messages messages={added} />
            {dropped > 0 && (
              <div className="notice">
                <span>
                  {dropped} {dropped === 1 ? "message is" : "messages are"} no longer sent.{" "}
                  {explainDropped(event, before, events)}
                </span>
              </div>
            )}
            <button type="button" className="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? "Hide the exact request" : "The exact request"}
            </button>
            {isWhole && <JsonText value={call} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

function read(runId: string, { seq }: EventOf<"model.called">): Promise<CallRequestJson> {
  return request("GET", `/v1/runs/${encodeURIComponent(runId)}/calls/${seq}`);
}

function Messages({ messages }: { readonly messages: readonly SentMessage[] }) {
  return messages.map((message, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their place.
    <div key={index} className="stack">
      <span className="row">
        <span className="badge">{message.role}</span>
      </span>
      <JsonText value={readContent(message)} />
    </div>
  ));
}

/** A message's words, where it has nothing else. */
function readContent({ role: _, ...rest }: SentMessage): unknown {
  const values = Object.values(rest);
  return values.length === 1 ? values[0] : rest;
}
