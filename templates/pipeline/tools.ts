/** What the model sees of the tool, and what the tool does. */
export const countWords = {
  name: "count_words",
  description: "counts the words of a text",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effect: "read",
  execute: ({ text }: { text: string }) => text.split(/\s+/).filter((word) => word !== "").length,
};
