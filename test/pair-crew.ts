import { defineCrew, type Model, type Tool } from "../src/index.ts";

type Tools = readonly Tool[];
type Signals = NonNullable<Parameters<typeof defineCrew>[0]["routing"]>["signals"];

/** Two agents in a row, on a model that is made in code. */
export function crewOf(
  call: Model["call"],
  {
    tools = [],
    signals = {},
    maxRetries = 1,
    ...environment
  }: { tools?: Tools; signals?: Signals; maxRetries?: number } & Parameters<typeof defineCrew>[1] = {},
) {
  return defineCrew(
    {
      name: "pair",
      models: ["m/m"],
      agents: [
        { id: "a", description: "first", prompt: "Work.", tools: tools.map(({ name }) => name), maxRetries },
        { id: "b", description: "second", prompt: "Work." },
      ],
      tools,
      routing: { signals },
    },
    { models: { "m/m": { name: "m/m", call } }, env: {}, ...environment },
  );
}

export const reply = (text: string) => ({ text, toolCalls: [], finish: "stop" as const });
