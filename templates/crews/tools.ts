const notes = ["The bridge opened in 1931 (city archive).", "Anna Holt built the bridge (city archive)."];

/** What the model sees of the tool, and what the tool does. Replace the list with your own notes. */
export const searchNotes = {
  name: "search_notes",
  description: "finds notes that contain the words",
  parameters: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
  effect: "read",
  execute: ({ words }: { words: string }) =>
    notes.filter((note) => note.toLowerCase().includes(words.toLowerCase())).join("\n") || "Nothing was found.",
};
