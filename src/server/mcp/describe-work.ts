import { type BatonEvent, nameSpeaker } from "../../vocabulary/events.ts";

/** What a client shows of an event while it waits: who is at work, and on what. Undefined for all that is not worth a line. */
export function describeWork(event: BatonEvent): string | undefined {
  switch (event.type) {
    case "run.started":
      return `run ${event.runId} began`;
    case "run.queued":
      return "the run waits for its turn";
    case "agent.started":
      return `${nameSpeaker(event)} is at work`;
    case "tool.called":
      return `${nameSpeaker(event)} calls ${event.data.tool}`;
    case "function.called":
      return `${nameSpeaker(event)} is called`;
    case "handoff":
      return `${event.data.from} hands over to ${event.data.to}`;
    case "parallel.started":
      return `${event.data.members.join(", ")} work side by side`;
    case "crew.entered":
      return `crew ${event.data.crew} begins`;
    case "team.cycle":
      return `the team begins cycle ${event.data.cycle}`;
    case "model.failed":
      return `the model of ${nameSpeaker(event)} failed: ${event.data.code}`;
    default:
      return undefined;
  }
}
