const rules = ["A contract of more than a year needs two signatures.", "Personal data stays within the company."];

/** What the model sees of the tool, and what the tool does. Replace the list with your own data. */
export const findRules = {
  name: "find_rules",
  description: "finds the company's rules on a topic",
  parameters: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
  effect: "read",
  execute: ({ topic }: { topic: string }) =>
    rules.filter((rule) => rule.toLowerCase().includes(topic.toLowerCase())).join("\n") || `No rule on ${topic}.`,
};
