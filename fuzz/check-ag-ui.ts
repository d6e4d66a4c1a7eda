import { HttpAgent } from "@ag-ui/client";
import { type Event, EventType } from "@ag-ui/core";
import { EventEncoder } from "@ag-ui/encoder";
import { AgUiNarration } from "../src/server/ag-ui/ag-ui-narration.ts";
import { isAtRest } from "../src/server/run-standing.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { BatonEvent, EventOf } from "../src/vocabulary/events.ts";

/** How replies reach a reader: whole, in pieces, or in pieces some of which a reader missed that came later. */
const manners = ["whole", "streamed", "torn"] as const;

/** What must be true of a run as AG-UI tells it: AG-UI's own client takes every part, and a run that completes says its output. */
export async function checkAgUi(events: readonly BatonEvent[]): Promise<string[]> {
  const problems: string[] = [];
  for (const manner of manners) {
    const agent = new HttpAgent({ url: "http://localhost/", threadId: "t" });
    for (const part of tellParts(manner === "whole" ? events : withDeltas(events, manner === "torn")))
      problems.push(...(await play(agent, part)).map((problem) => `AG-UI, ${manner} replies: ${problem}`));
    const end = events.at(-1);
    const said = agent.messages.map(({ content = "" }) => squeeze(content)).join("\n");
    if (end?.type === "run.completed" && !said.includes(squeeze(buildResult(events).output)))
      problems.push(`AG-UI, ${manner} replies: the output is in no message`);
  }
  return problems;
}

/** The events of each part of a run: up to a pause, or to the end. */
function tellParts(events: readonly BatonEvent[]): Event[][] {
  const stops = events.flatMap((event, index) => (isAtRest(event) ? [index] : []));
  return stops.map((stop, index) => {
    const from = (stops[index - 1] ?? -1) + 1;
    const { runId = "" } = events[0] ?? {};
    const narration = new AgUiNarration({ ids: { threadId: "t", runId: `part${index}` }, runId, isHeld: false });
    narration.remember(stored(events.slice(0, from)));
    const told = [...narration.begin(), ...events.slice(from, stop + 1).flatMap((event) => narration.take(event))];
    return [...told, ...narration.finish(buildResult(stored(events.slice(0, stop + 1))))];
  });
}

/** Gives the client a part, as if a server had streamed it. */
async function play(agent: HttpAgent, part: readonly Event[]): Promise<string[]> {
  const problems: string[] = [];
  const encoder = new EventEncoder();
  const body = part.map((event) => encoder.encodeSSE(event)).join("");
  agent.fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  let taken = 0;
  const last = part.at(-1)?.type;
  const resume = agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" as const }));
  const options = resume.length === 0 ? {} : { resume };
  // A run that fails is told by an event; what the client refuses to take makes it reject.
  await agent.runAgent(options, { onEvent: () => void taken++ }).catch((error) => problems.push(String(error)));
  if (problems.length === 0 && taken !== part.length) problems.push(`${part.length - taken} events were dropped`);
  if (last !== EventType.RUN_FINISHED && last !== EventType.RUN_ERROR) problems.push(`it ends with ${last}`);
  return problems;
}

/** Puts the words of each reply before it, in pieces. A torn one begins in the middle of the reply. */
function withDeltas(events: readonly BatonEvent[], isTorn: boolean): BatonEvent[] {
  return events.flatMap((event) => {
    if (event.type !== "model.completed" && event.type !== "model.failed") return [event];
    const { text = "", reasoning = "" } = event.type === "model.completed" ? event.data : { text: "half an ans" };
    const deltas = [...deltasOf(event, "reasoning.delta", reasoning), ...deltasOf(event, "text.delta", text)];
    return [...(isTorn ? deltas.slice(deltas.length / 2) : deltas), event];
  });
}

function deltasOf(
  { runId, ts, agent, crew, path, id }: EventOf<"model.completed" | "model.failed">,
  type: "text.delta" | "reasoning.delta",
  text: string,
): BatonEvent[] {
  const pieces = text.match(/[\s\S]{1,7}/gu) ?? [];
  const place = { runId, ts, agent, crew, path: path.replace(/\/t\d+\/m\d+$/, "") };
  return pieces.map((piece, index) => ({ ...place, id: `${id}.${index}`, type, data: { text: piece } }));
}

function stored(events: readonly BatonEvent[]): BatonEvent[] {
  return events.filter(({ seq }) => seq !== undefined);
}

function squeeze(content: unknown): string {
  return typeof content === "string" ? content.replace(/\s+/g, "") : "";
}
