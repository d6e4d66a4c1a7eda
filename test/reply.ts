/** What a model answers: a text, or a call of a tool. */
export type Given = string | { readonly tool: string; readonly args: unknown };

export function reply(given: Given) {
  if (typeof given === "string") return { text: given, toolCalls: [], finish: "stop" as const };
  return { text: "", toolCalls: [{ name: given.tool, args: given.args }], finish: "tool-calls" as const };
}
