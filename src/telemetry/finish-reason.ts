/** Why a reply ended, in the words of the semantic conventions. */
export function finishReason(finish: string): string {
  return finish === "tool-calls" ? "tool_call" : finish.replaceAll("-", "_");
}
