import { splitIntoWords } from "./split-into-words.ts";

/** The words of a text in the form in which memory is searched: without endings, diacritics and words that say nothing. */
export function listTerms(text: string): string[] {
  return splitIntoWords(text).flatMap(({ bare, isStop }) => (isStop === true && !/^\p{N}+$/u.test(bare) ? [] : bare));
}
