/** Names that a run fills in when it begins, since they are others each time. */
const OF_THE_RUN: ReadonlySet<string> = new Set([
  ...["DATETIME", "TIMESTAMP", "DATE", "TIME", "DAY", "TIMEZONE"],
  ...["OS", "ARCH", "KERNEL"],
]);

/** What `${NAME}` stands for in the prompts of ai-agent: what the agent is, what the environment has, and what only a run knows. */
export function fillPrompt(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{([A-Z][A-Z0-9_]{0,63})\}/g, (whole, name: string) =>
    OF_THE_RUN.has(name) ? `{{${name}}}` : (known.get(name) ?? whole),
  );
}
