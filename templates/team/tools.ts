/** What the model sees of the tool, and what the tool does. */
export const addDays = {
  name: "add_days",
  description: "adds up days of work",
  parameters: {
    type: "object",
    properties: { days: { type: "array", items: { type: "number" } } },
    required: ["days"],
  },
  effect: "read",
  execute: ({ days }: { days: number[] }) => days.reduce((sum, each) => sum + each, 0),
};
