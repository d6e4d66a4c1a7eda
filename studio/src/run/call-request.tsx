import { useState } from "react";
import type { EventOf } from "../../../src/vocabulary/events.ts";
import { request } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { JsonText } from "../parts/json-text.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { type CallRequestJson, compareMessages } from "./compare-messages.ts";

/** What a model call was sent, obtained by replay: first the messages that are new since the agent's previous call. */
export function CallRequest({ runId, event }: { readonly runId: string; readonly event: EventOf<"model.called"> }) {
  const path = `/v1/runs/${encodeURIComponent(runId)}/calls/${event.seq}`;
  const resource = useResource(path, () => request<CallRequestJson>("GET", path));
  const [isWhole, setWhole] = useState(false);
  return (
    <div className="stack">
      <h3>What the model was sent</h3>
      <Loaded resource={resource}>
        {(call) => {
          const { added, dropped, repeated } = compareMessages(call);
          return (
            <>
              <p className="muted">
                {added.length} new {added.length === 1 ? "message" : "messages"} since this agent's previous call
                {repeated > 0 && `, ${repeated} sent again`}
                {dropped > 0 && `, ${dropped} no longer sent`}
              </p>
              {(isWhole ? call.messages : added).map((message, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their place.
                <div key={index} className="stack">
                  <span className="badge">{message.role}</span>
                  <JsonText value={message.content} />
                </div>
              ))}
              <button type="button" className="button plain" onClick={() => setWhole(!isWhole)}>
                {isWhole ? "Only what is new" : "The exact request"}
              </button>
              {isWhole && <JsonText value={call} />}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
