/** Removes the ending of an English word, so that `refunds`, `refunded` and `refunding` become equal. */
export function stemWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  // Removed twice, so that words with one ending and with two become equal: `delivery`, `delivering`, `deliver`.
  const stem = removeEnding(removeEnding(removePlural(word)));
  return stem.replace(/([a-z])\1$/, "$1").replace(/(?<=.{3})e$/, "");
}

function removeEnding(word: string): string {
  const ending = endings.find(({ text, least }) => word.length >= text.length + least && word.endsWith(text));
  return ending === undefined ? word : word.slice(0, -ending.text.length);
}

/** Each ending with the least length of what must remain of the word. */
const endings: readonly { readonly text: string; readonly least: number }[] = [
  { text: "ation", least: 4 },
  { text: "ator", least: 4 },
  { text: "able", least: 4 },
  { text: "ance", least: 4 },
  { text: "ment", least: 3 },
  { text: "ness", least: 4 },
  { text: "ful", least: 4 },
  { text: "ate", least: 5 },
  { text: "ist", least: 4 },
  { text: "ing", least: 3 },
  { text: "ion", least: 4 },
  { text: "ed", least: 3 },
  { text: "ly", least: 4 },
  { text: "er", least: 4 },
  { text: "or", least: 4 },
  { text: "y", least: 5 },
];

function removePlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}
