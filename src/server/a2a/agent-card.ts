import { A2A_PROTOCOL_VERSION, AgentCard } from "@a2a-js/sdk";
import type { Crew } from "../../vocabulary/crew.ts";

/** How a card and its interfaces name our two bindings. */
const bindings = ["JSONRPC", "HTTP+JSON"] as const;
const SCHEME = "bearer";
/** A crew has no version of its own. */
const CARD_VERSION = "1";

/** The card of a crew: its skills are the agents that say what they do. Prompts, models and tools are nobody's business. */
export function buildCard({ name, description, agents }: Crew, address: string): AgentCard {
  const url = `${address}/a2a/${encodeURIComponent(name)}`;
  const described = [...agents.values()].filter((agent) => agent.description !== undefined);
  const text = { inputModes: ["text/plain"], outputModes: ["text/plain", "application/json"] };
  return {
    name,
    description: description ?? `The crew ${name}`,
    version: CARD_VERSION,
    provider: undefined,
    supportedInterfaces: bindings.map((protocolBinding) => ({
      ...{ url, protocolBinding, tenant: "", protocolVersion: A2A_PROTOCOL_VERSION },
    })),
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false, extensions: [] },
    securitySchemes: {
      [SCHEME]: {
        scheme: {
          $case: "httpAuthSecurityScheme",
          value: { description: "A token of the server", scheme: "Bearer", bearerFormat: "" },
        },
      },
    },
    securityRequirements: [{ schemes: { [SCHEME]: { list: [] } } }],
    defaultInputModes: text.inputModes,
    defaultOutputModes: text.outputModes,
    skills: described.map(({ id, name: title = id, description: about = "", domain, specialties }) => ({
      ...{ id, name: title, description: about, examples: [], securityRequirements: [], ...text },
      tags: [...new Set([...(domain === undefined ? [] : [domain]), ...specialties])],
    })),
    signatures: [],
  };
}

/** A card as it is sent. */
export function writeCard(card: AgentCard): unknown {
  return AgentCard.toJSON(card);
}
