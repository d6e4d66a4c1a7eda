import type { ExitTool } from "../session/session-tool.ts";
import type { Agent, Crew } from "../vocabulary/crew.ts";
import { isBlank } from "../vocabulary/wording.ts";
import type { Question } from "./agent-call.ts";
import type { CrewRun } from "./crew-run.ts";
import { distinctSignals, type FoundSignal } from "./read-signals.ts";
import { tellSignals } from "./tell-signals.ts";

/**
 * A tool whose argument is one of the signals the agent may emit; calling it ends the session. Agents have it with `emit: tool` or
 * `both`, and where they are reminded of their signals.
 */
export function signalTool(question: Question, crewRun: CrewRun): ExitTool[] {
  const { agent, isCalled = false, isReminder = false } = question;
  const { crew } = crewRun;
  if (crew.settings.emit === "text" && !isReminder) return [];
  const bindings = crew.bindings.get(agent.id) ?? [];
  if (bindings.length === 0) return [];
  const signals = bindings.map(({ signal }) => signal);
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
      accept: ({ signal, answer: text }, _reply, place) => {
        const [name] = [signal].flat();
        const offered = signals.join(", ");
        if (typeof name !== "string" || isBlank(name)) return { problem: `pass 'signal' as one of ${offered}` };
        const [said, found] = findSignals(name, agent, crewRun);
        if (found.some((each) => each.signal.binding !== undefined))
          return { exit: said, ...(typeof text === "string" && { text }) };
        tellSignals(found, place, crewRun);
        const problem = found[0]?.signal.problem?.message ?? `there is no signal '${name}'`;
        return { problem: `${problem}; pass one of ${offered}` };
      },
    },
  ];
}

/** A signal as it would stand in text, or a text with signals in it, and what is found there. */
function findSignals(name: string, agent: Agent, { crew, world }: CrewRun): readonly [string, readonly FoundSignal[]] {
  const token = formatToken(name);
  const found = world.signalReader.find(crew, agent, token);
  return found.length > 0 ? [token, found] : [name, distinctSignals(world.signalReader.find(crew, agent, name))];
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
function formatToken(signal: string): string {
  return `[${signal.replace(/^[\s[\]*`"'\\]+|[\s[\]*`"'\\]+$/g, "")}]`;
}
