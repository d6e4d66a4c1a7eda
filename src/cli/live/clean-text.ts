import { showControls } from "../terminal-text.ts";

/** Text of models and tools as it is laid out in lines: its line breaks made ours, tabs as spaces, control characters written out. */
export function cleanText(text: string): string {
  return showControls(text.replace(/\r\n|[\u2028\u2029\u0085]/g, "\n").replaceAll("\t", "  "));
}

/** More than any line shows; what is longer need not be looked through. */
const BRIEF = 400;

/** The beginning of it, on one line. */
export function shorten(text: string): string {
  return cleanLine(text.slice(0, BRIEF));
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}
