import type { ExitTool } from "../session/session-tool.ts";
import { indexSignals } from "../signals/signal-index.ts";
import type { Agent, Crew } from "../vocabulary/crew.ts";
import type { Question } from "./agent-call.ts";

/**
 * A tool whose argument is one of the signals the agent may emit; calling it ends the session. Agents have it with `emit: tool` or
 * `both`, and where they are reminded of their signals.
 */
export function signalTool({ agent, isCalled = false, isReminder = false }: Question, crew: Crew): ExitTool[] {
  if (crew.settings.emit === "text" && !isReminder) return [];
  const bindings = crew.bindings.get(agent.id) ?? [];
  if (bindings.length === 0) return [];
  const signals = bindings.map(({ signal }) => signal);
  const index = indexSignals(bindings.map(({ signal: name, priority }) => ({ name, priority })));
  const isRequired = isReminder ? "now" : !isCalled && isOnlyWay(agent, crew) ? "alone" : undefined;
  return [
    {
      kind: "exit",
      name: "signal",
      givesAnswer: true,
      isRequired,
      description: `Ends your turn with a signal: ${signals.join(", ")}.`,
      parameters: {
        type: "object",
        properties: { signal: { type: "string", enum: signals }, ...(isRequired !== undefined && answer) },
        required: ["signal"],
        additionalProperties: false,
      },
      accept: ({ signal, answer: text }) => {
        const token = tokenOf(String(signal));
        if (index.resolve(token) !== undefined) return { exit: token, ...(typeof text === "string" && { text }) };
        return { problem: `there is no signal '${signal}'; there are ${signals.join(", ")}` };
      },
    },
  ];
}

/** Models that must call a tool often write nothing beside the call. */
const answer = { answer: { type: "string", description: "Your answer, unless you write it beside this call." } };

/** Whether a signal alone can say what follows the agent's answer, so that an answer without one leads nowhere that anybody wrote. */
function isOnlyWay({ id, isTerminal, handoff, handoffTargets, output }: Agent, crew: Crew): boolean {
  const { emit, onNoSignal } = crew.settings;
  const isFollowed = isTerminal || handoff !== undefined || handoffTargets.length > 0 || crew.defaults.has(id);
  const mayWait = onNoSignal === "pause" || crew.behaviors.get(id)?.waitForSignal === true;
  return emit === "tool" && !isFollowed && !mayWait && output.format !== "json";
}

/** A name as it would stand in text: models leave out the brackets, or put quotes and emphasis around them. */
function tokenOf(signal: string): string {
  return `[${signal.replace(/^[\s[\]*`"'\\]+|[\s[\]*`"'\\]+$/g, "")}]`;
}
