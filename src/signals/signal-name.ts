const NAME = /^\[[\p{L}\p{M}\p{Nd}_-](?:[\p{L}\p{M}\p{Nd}_ -]*[\p{L}\p{M}\p{Nd}_-])?\]$/u;
const MAX_NAME_CHARACTERS = 64;

/** No token that names a signal is longer: 64 characters in decomposed form, and padding. */
export const MAX_TOKEN_LENGTH = 512;

/** Whether `text` is a signal's name: `[` + 1…64 letters, marks, digits, `_`, `-` and inner spaces + `]`. */
export function isSignalName(text: string): boolean {
  return text.length <= MAX_TOKEN_LENGTH && NAME.test(text) && [...text].length <= MAX_NAME_CHARACTERS + 2;
}

/** Lower case, with the two lower-case sigmas equal. It does not go through upper case, which would make `ı` an `I`. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** The form in which two spellings of a name are equal: NFC, case folded, runs of space, `_` and `-` as one, trimmed. */
export function normalizeName(name: string): string {
  const inner = foldCase(name.slice(1, -1).normalize("NFC")).normalize("NFC");
  return `[${inner.replace(/[\s_-]+/gu, " ").trim()}]`;
}
