const givenUp: ReadonlySet<string> = new Set([
  "timeout",
  "cancelled",
  "incomplete",
  "lost",
  "empty",
  "filtered",
  "too_large",
  "bad_reply",
]);

/** Whether nobody knows what the provider counted after this failure: the call was on its way, and was given up, broke off or brought what is no reply. */
export function leavesCostUnknown(code: string): boolean {
  return givenUp.has(code);
}
