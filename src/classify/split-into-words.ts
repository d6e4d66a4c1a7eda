import { stemWord } from "./stem-word.ts";
import { stopWords, unmarkedStopWords } from "./stop-words.ts";

/** A word in the forms that are compared. */
export interface Word {
  /** Lower case, without English endings. Vietnamese tone marks come last, so that `hoá` equals `hóa`. */
  readonly exact: string;
  /** The same without diacritics, as many people type. */
  readonly bare: string;
  /** Without diacritics, with its ending. A pair of words is joined. */
  readonly typed: string;
  /** Whether it is a stop word; `perhaps` if it may be another word without its diacritics. */
  readonly isStop: boolean | "perhaps";
}

/** Longer words are cut, since their beginning is enough to tell them apart. */
const LONGEST = 40;

/** Runs of letters. In scripts without spaces, every character is a word, and pairs of them stand for words. */
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]+/gv;

/** Splits a text into words, in order. */
export function splitIntoWords(text: string): Word[] {
  const words = text.normalize("NFC").toLowerCase().replaceAll("'", "").replaceAll("’", "").match(WORDS);
  return (words ?? []).map((word) => readWord(word.slice(0, LONGEST)));
}

function readWord(word: string): Word {
  if (/^[a-z0-9]+$/.test(word)) {
    const stem = stemWord(word);
    return { exact: stem, bare: stem, typed: word, isStop: isStop(word) };
  }
  const parts = word.replaceAll("đ", "d\u0335").normalize("NFD");
  const tones = parts.match(TONES)?.join("") ?? "";
  const exact = parts.replace(TONES, "") + tones;
  const typed = parts.replace(/\p{M}/gu, "");
  return { exact, bare: stemWord(typed), typed, isStop: isStop(word) };
}

/** Grave, acute, tilde, hook above, dot below. */
const TONES = /[\u0300\u0301\u0303\u0309\u0323]/g;

function isStop(word: string): Word["isStop"] {
  if (stopWords.has(word) || /^\p{N}+$/u.test(word)) return true;
  return unmarkedStopWords.has(word) ? "perhaps" : false;
}
