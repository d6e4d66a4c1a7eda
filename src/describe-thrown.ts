/** Whatever somebody's code threw, in words; empty where it says nothing. Never throws itself. */
export function describeThrown(thrown: unknown): string {
  try {
    const { message = thrown } = typeof thrown === "object" && thrown !== null ? (thrown as { message?: unknown }) : {};
    return typeof message === "object" && message !== null ? JSON.stringify(message) : String(message ?? "");
  } catch {
    return "something was thrown that cannot be put into words";
  }
}
