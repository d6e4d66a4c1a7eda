import { type CrewDefinition, type CrewHandle, defineCrew, type Model, ModelError, type Store } from "../src/index.ts";
import type { ToolSpecification } from "../src/models/model.ts";

export const desk: CrewDefinition = {
  name: "desk",
  models: ["m/m"],
  agents: [
    { id: "triage", prompt: "Sort.", handoff_targets: ["billing", "repairs"] },
    { id: "billing", description: "invoices and refunds", prompt: "Bill.", is_terminal: true },
    { id: "repairs", description: "broken machines", prompt: "Repair.", is_terminal: true },
  ],
  routing: { signals: { triage: [{ signal: "[REPAIR]", target: "repairs" }] } },
};

/** `to x` chooses a router's destination, `transfer to x` a collaborator; a function is shown the tools. */
type Reply = string | Error | ((tools: readonly ToolSpecification[]) => string);

/** A crew whose agents always say the same. */
export function openCrew(
  replies: Readonly<Record<string, Reply>>,
  store: Store | undefined,
  change: Partial<CrewDefinition> = {},
): CrewHandle {
  const model: Model = {
    name: "m/m",
    call: async ({ agent, tools }) => {
      const reply = replies[agent] ?? "done";
      if (reply instanceof Error) throw reply;
      const text = typeof reply === "string" ? reply : reply(tools);
      const choice = /^(to|transfer to) (\w+)$/.exec(text);
      if (choice === null) return { text, toolCalls: [], finish: "stop" };
      const [, how, id] = choice;
      const call =
        how === "to"
          ? { name: "handoff-to", args: { agent: id } }
          : { name: `transfer_to_${id}`, args: { context: {} } };
      return { text: "", toolCalls: [call], finish: "tool-calls" };
    },
  };
  const models = { "m/m": model };
  return defineCrew({ ...desk, ...change }, { models, ...(store !== undefined && { store }) });
}

export const broken = new ModelError("no", { status: 400 });

/** Runs on which billing fails and repairs, reached by a signal, does well. */
export async function teach(store: Store, change: Partial<CrewDefinition> = {}): Promise<void> {
  const toRepairs = openCrew({ triage: "[REPAIR]" }, store, change);
  const toBilling = openCrew({ triage: "hm", billing: broken }, store, change);
  for (let index = 0; index < 12; index++) {
    await toRepairs.run(`machine ${index} is broken`);
    await toBilling.run(`machine ${index} is broken`);
  }
}
