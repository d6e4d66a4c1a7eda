import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { Agent } from "../vocabulary/crew.ts";
import type { BatonEvent, EventPlace } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";

/** A new span, with the names of the semantic conventions for generative AI (1.45). */
export interface Opening {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** How long after its event the span begins. */
  readonly waitMs: number;
}

interface Known {
  readonly agentOf: (place: EventPlace) => Agent | undefined;
}

/** A crew at work on an input: the run's own crew or a called one. */
export function openWorkflow(crew: string): Opening {
  return createOpening("invoke_workflow", crew, { "gen_ai.workflow.name": crew });
}

/** Finds the span that an event begins, unless a span is open at the same place. */
export function findOpening(event: BatonEvent, known: Known): Opening | undefined {
  switch (event.type) {
    case "crew.entered":
      return openWorkflow(event.data.crew);
    // Advisors and teams that work before an agent speaks are part of its session. An agent that has answered can be asked
    // again.
    case "agent.started":
    case "agent.told":
    case "advisors.started":
    case "team.started":
      return createOpening("invoke_agent", event.agent ?? "", listAgentAttributes(event, known));
    case "model.called": {
      const { model: name, turn, attempt, waitMs = 0 } = event.data;
      const { provider, model } = splitModelName(name);
      const attributes = {
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.agent.name": event.agent,
        "baton.turn": turn,
        "baton.attempt": attempt,
        ...(waitMs > 0 && { "baton.wait_ms": waitMs }),
      };
      return { ...createOpening("chat", model, attributes), kind: SpanKind.CLIENT, waitMs };
    }
    case "tool.called":
      return openTool(event.data.tool, event);
    // The conventions have no name for an agent without a model. Its function is called as a tool is.
    case "function.called":
      return openTool(event.agent ?? "", event);
    default:
      return undefined;
  }
}

function openTool(name: string, { path, agent }: EventPlace): Opening {
  const attributes = { "gen_ai.tool.name": name, "gen_ai.tool.type": "function", "gen_ai.tool.call.id": path };
  return createOpening("execute_tool", name, { ...attributes, "gen_ai.agent.name": agent });
}

function createOpening(operation: string, about: string, attributes: Attributes): Opening {
  return {
    name: `${operation} ${about}`,
    kind: SpanKind.INTERNAL,
    attributes: { "gen_ai.operation.name": operation, ...attributes },
    waitMs: 0,
  };
}

function listAgentAttributes(event: BatonEvent, { agentOf }: Known): Attributes {
  const description = agentOf(event)?.description;
  return {
    "gen_ai.agent.id": nameSpeaker(event),
    "gen_ai.agent.name": event.agent,
    ...(description !== undefined && description !== "" && { "gen_ai.agent.description": description }),
  };
}
/** Providers that have another name in the semantic conventions. */
const names: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** Splits `provider/model`. A custom model without a provider is its own provider. */
function splitModelName(name: string): { readonly provider: string; readonly model: string } {
  const at = name.indexOf("/");
  if (at < 0) return { provider: name, model: name };
  // `openai.chat` and `openai.responses` are two APIs of one provider.
  const [provider = ""] = name.slice(0, at).split(".");
  return { provider: names[provider] ?? provider, model: name.slice(at + 1) };
}
