import type { Agent, Crew } from "../crew.ts";
import type { ExitTool } from "../session/session-tool.ts";
import { indexSignals } from "../signals/signal-index.ts";

/** With `emit: tool` or `both`: a tool whose argument is one of the signals the agent may emit. Calling it ends the session. */
export function signalTool(agent: Agent, crew: Crew): ExitTool[] {
  if (crew.settings.emit === "text") return [];
  const bindings = crew.bindings.get(agent.id) ?? [];
  if (bindings.length === 0) return [];
  const signals = bindings.map(({ signal }) => signal);
  const index = indexSignals(bindings.map(({ signal: name, priority }) => ({ name, priority })));
  return [
    {
      kind: "exit",
      name: "signal",
      givesAnswer: true,
      description: `Ends your turn with a signal: ${signals.join(", ")}.`,
      parameters: {
        type: "object",
        properties: { signal: { type: "string", enum: signals } },
        required: ["signal"],
        additionalProperties: false,
      },
      accept: ({ signal }) => {
        const token = tokenOf(String(signal));
        if (index.resolve(token) !== undefined) return { exit: token };
        return { problem: `there is no signal '${signal}'; there are ${signals.join(", ")}` };
      },
    },
  ];
}

/** A name as it would stand in text: models leave out the brackets, too. */
function tokenOf(signal: string): string {
  const name = signal.trim();
  return name.startsWith("[") && name.endsWith("]") ? name : `[${name}]`;
}
