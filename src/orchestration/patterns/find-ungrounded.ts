const NUMBERS = /\d+(?:[.,]\d+)*/g;
const QUOTES = /"([^"\n]{3,300})"|“([^”\n]{3,300})”|«([^»\n]{3,300})»/g;
const MAX_NAMED = 5;

/** The numbers and quoted phrases of a text that are in none of the given texts. */
export function findUngrounded(text: string, given: readonly string[]): string[] {
  const all = given.join("\n");
  const numbers = new Set(listNumbers(all));
  const words = simplify(all);
  const missing = [
    ...listNumbers(text).filter((each) => !numbers.has(each)),
    ...listQuotes(text).filter((each) => !words.includes(simplify(each))),
  ];
  return [...new Set(missing)].slice(0, MAX_NAMED);
}

/** Numbers by their value, as far as it is plain: `1,200` is `1200`, and `3.50` is `3.5`. */
function listNumbers(text: string): string[] {
  return (text.match(NUMBERS) ?? []).map((each) => {
    const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(each) ? each.replaceAll(",", "") : each.replace(",", ".");
    const value = Number(plain);
    return Number.isNaN(value) ? plain : String(value);
  });
}

function listQuotes(text: string): string[] {
  return [...text.matchAll(QUOTES)].map(([, straight, curly, angled]) => straight ?? curly ?? angled ?? "");
}

function simplify(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}
