import { stripVTControlCharacters } from "node:util";

/** Bidirectional overrides can make a text read otherwise than it is. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text of models and tools as it may be painted: no escape sequences, no control characters but line breaks. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n|[\u2028\u2029\u0085]/g, "\n"))
    .replaceAll("\t", "  ")
    .replace(OVERRIDES, "")
    .replace(/[^\P{Cc}\n]/gu, "");
}

/** More than any line shows; what is longer need not be looked through. */
const BRIEF = 400;

/** The beginning of it, on one line. */
export function briefly(text: string): string {
  return cleanLine(text.slice(0, BRIEF));
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}
