import type { Agent, Crew } from "../crew.ts";
import type { ExitTool } from "../session/session-tool.ts";

/** With `emit: tool` or `both`: a tool whose argument is one of the signals the agent may emit. Calling it ends the session. */
export function signalTool(agent: Agent, crew: Crew): ExitTool[] {
  if (crew.settings.emit === "text") return [];
  const signals = (crew.bindings.get(agent.id) ?? []).map(({ signal }) => signal);
  if (signals.length === 0) return [];
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
      accept: ({ signal }) =>
        signals.includes(String(signal))
          ? { exit: signal }
          : { problem: `there is no signal '${signal}'; there are ${signals.join(", ")}` },
    },
  ];
}
