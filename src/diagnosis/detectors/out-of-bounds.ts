import type { BatonEvent, EventOf } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEvent, type Scene } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";

/** Finds agents that break their own definition: answers in the wrong form, tools and signals that are not theirs. */
export const findOutOfBounds: Detector = (scene) => {
  const found = scene.story.events.flatMap(
    (event) => findOutOfRole(event, scene) ?? findInvalidOutput(event, scene) ?? [],
  );
  return [...found, ...scene.story.invocations.flatMap((invocation) => findRepairedOutput(invocation, scene))];
};

function findOutOfRole(event: BatonEvent, scene: Scene): Found[] | undefined {
  const { crew, agent = "" } = event;
  const speaker = nameSpeaker(event);
  const base = { code: "out-of-role", severity: "low", confidence: "certain", agents: [speaker] } as const;
  if (event.type === "tool.failed" && event.data.message.startsWith(`there is no tool '${event.data.tool}'`)) {
    const { tool, message } = event.data;
    if (isOwnTool(event, scene)) return undefined;
    return [
      {
        ...base,
        title: `${speaker} called ${tool}, which it does not have`,
        evidence: [quoteEvent(event, message)],
        why: `It is not given ${tool}: the call failed, and cost a turn.`,
        where: locateAgentKey(event, "tools"),
        advice: `give it ${tool}, or take ${tool} out of its prompt`,
      },
    ];
  }
  if (event.type !== "signal.rejected" && event.type !== "signal.unbound") return undefined;
  const { signal, message } = event.data;
  const definition = scene.findCrew(crew)?.signals.find(({ name }) => name === signal);
  // A signal that would have ended the run has a finding of its own.
  if (event.type === "signal.unbound" && (definition?.behavior === "terminate" || hasDecided(event.path, scene)))
    return undefined;
  return [
    {
      ...base,
      title: `${speaker} emitted ${signal}, which is not for it`,
      evidence: [quoteEvent(event, event.type === "signal.unbound" ? event.data.token : message)],
      why: `${message}: it was journalled and did nothing.`,
      where: locateCrewKey(crew, "routing", "signals", agent),
      advice: `bind ${signal} for ${agent}, or take it out of its prompt`,
    },
  ];
}

/** Whether the tool is the agent's own: on its last turn, an agent is not offered its tools any more. */
function isOwnTool(event: EventOf<"tool.failed">, { findAgent }: Scene): boolean {
  const { tool, message } = event.data;
  if (/^(?:team__|memory__|crew__|signal$|handoff-to$|(?:agent__)?final_report$|agent__(?:ask|dismiss))/.test(tool))
    return true;
  const agent = findAgent(event);
  if (agent === undefined) return message.endsWith("there are none");
  return agent.tools.includes(tool) || agent.subAgents.includes(tool.replace(/^agent__/, ""));
}

function hasDecided(path: string, { story }: Scene): boolean {
  return (story.byPath.get(path)?.signals.length ?? 0) > 0;
}

function findInvalidOutput(event: BatonEvent, { story }: Scene): Found[] | undefined {
  if (event.type !== "agent.failed" || event.data.code !== "output_invalid") return undefined;
  const replies = story.byPath.get(event.path)?.replies ?? [];
  return [
    {
      code: "disobeyed-format",
      severity: "high",
      confidence: "certain",
      title: `${nameSpeaker(event)} did not answer in the form it has to`,
      agents: [nameSpeaker(event)],
      evidence: [
        ...replies.slice(-2).map((reply) => quoteEvent(reply, reply.data.text)),
        quoteEvent(event, event.data.message),
      ],
      why: event.data.message,
      where: locateAgentKey(event, "output"),
      advice: "show in its prompt an answer of that form; or make the schema ask for less",
    },
  ];
}

/** An answer in the wrong form that had to be asked for again. */
function findRepairedOutput(invocation: Invocation, { findAgent }: Scene): Found[] {
  if (invocation.end?.type !== "agent.completed" || findAgent(invocation)?.output.format !== "json") return [];
  const wrong = invocation.replies.slice(0, -1).filter(({ data }) => data.toolCalls.length === 0);
  if (wrong.length === 0) return [];
  return [
    {
      code: "disobeyed-format",
      severity: "low",
      confidence: "certain",
      title: `${invocation.speaker} answered in the wrong form at first`,
      agents: [invocation.speaker],
      evidence: [
        ...wrong.map((reply) => quoteEvent(reply, reply.data.text)),
        quoteEvent(invocation.end, getAnswer(invocation)),
      ],
      why: `Its answer was no JSON of its schema, and it had to be asked again: ${wrong.length === 1 ? "a call" : `${wrong.length} calls`} for nothing.`,
      where: locateAgentKey(invocation, "output"),
      advice: "show in its prompt an answer of that form",
    },
  ];
}
