import type { Ability } from "../../flow/coverage/coverage-item.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { type CrewLine, findActor } from "./crew-lines.ts";

/** Reads what agents do inside calls, where a chain of agents leaves no handoffs but stages: `w0`, `w0.1`, `w0.2`. */
export class CallReader {
  readonly #agents = new Map<string, string>();
  /** The last tool with which an agent chose who goes on, by the path of its stage. */
  readonly #choices = new Map<string, string>();

  read(event: BatonEvent, line: CrewLine): Ability[] {
    const agent = findActor(line, event);
    if (agent === undefined) return [];
    if (event.type === "agent.started") return this.#begin(event.path, agent.id, line);
    if (event.type !== "tool.called") return [];
    const { tool, args } = event.data;
    const stage = event.path.replace(/\/t\d+\/c\d+$/, "");
    if (tool === "handoff-to" || tool.startsWith("transfer_to_")) this.#choices.set(stage, tool);
    const callee = agent.subAgents.find((id) => tool === `agent__${id}`);
    if (callee !== undefined) return [{ kind: "sub-agent", agent: agent.id, to: callee }];
    const crew = tool === "crew__delegate" ? agent.delegate.find((name) => name === readCrew(args)) : undefined;
    return crew === undefined ? [] : [{ kind: "delegate", agent: agent.id, to: crew }];
  }

  #begin(path: string, agent: string, { crew }: CrewLine): Ability[] {
    this.#agents.set(path, agent);
    const [, base, stage] = /^(.*)\.(\d+)$/.exec(path) ?? [];
    if (base === undefined) return [];
    const before = stage === "1" ? base : `${base}.${Number(stage) - 1}`;
    const from = crew.agents.get(this.#agents.get(before) ?? "");
    if (from === undefined) return [];
    const choice = this.#choices.get(before);
    const named = (others: readonly { readonly agent: string }[] = []) => others.some((each) => each.agent === agent);
    if (choice === "handoff-to" && named(from.router?.destinations))
      return [{ kind: "router", agent: from.id, to: agent }];
    if (choice === `transfer_to_${agent}` || (choice === undefined && from.handoff?.to !== agent))
      return named(from.collaborations) ? [{ kind: "transfer", agent: from.id, to: agent }] : [];
    return from.handoff?.to === agent ? [{ kind: "handoff", agent: from.id, to: agent }] : [];
  }
}

function readCrew(args: unknown): unknown {
  return typeof args === "object" && args !== null && "crew" in args ? args.crew : undefined;
}
