import { stemWord } from "./stem-word.ts";
import { stopWords, unmarkedStopWords } from "./stop-words.ts";

/** A word as it is compared. */
export interface Word {
  /** Lower case, without English endings; Vietnamese tones stand last, so that `hoá` is `hóa`. */
  readonly exact: string;
  /** The same without marks, as many people type. */
  readonly bare: string;
  /** Without marks, with its ending; two words in a row as if they were one. */
  readonly typed: string;
  /** Whether it says nothing of what somebody wants; `perhaps` where it may be another word without its marks. */
  readonly isStop: boolean | "perhaps";
}

/** A word that is longer is no word; what it begins with is enough to tell it from others. */
const LONGEST = 40;

/** Runs of letters; where words are not set apart, every character, whose pairs then say what words would. */
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]+/gv;

/** The words of a text in its order. */
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
