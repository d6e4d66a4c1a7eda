import { examineLooks, isCodeName, isPlaceholder, isRandomLooking, type Looks } from "./looks-secret.ts";
import { readToken } from "./read-known-token.ts";
import type { NameBefore } from "./read-name-before.ts";
import { readValue, type Value } from "./read-value.ts";
import type { SecretName } from "./secret-name.ts";
import type { Stretch, Verdict } from "./stretch.ts";

/** Reads the value that a secret's name is assigned, if the value looks like a secret. */
export function readAssignment(stretch: Stretch, at: number, name: NameBefore, secretName: SecretName): Verdict {
  const isLine = isEnvironmentLine(stretch, at, name);
  const value = readValue(stretch, at, isLine);
  if (value === undefined || value === "undecided") return value;
  const isSecret = value.isQuoted
    ? isQuotedSecret(value, secretName)
    : isPlainSecret(value, secretName, isLine ? "line" : name.isInQuery ? "query" : undefined);
  if (!isSecret) return undefined;
  const { start, end, tail } = value;
  const token = readToken({ ...stretch, floor: start, limit: end, ending: "redacted" }, start);
  return { start, end, tail, kind: token === undefined || token === "undecided" ? secretName.kind : token.kind };
}

/**
 * Whether a string in an object under this name is a secret. Under `token` or `secret` a plain word may not be one, but a word
 * with digits is.
 */
export function isSecretString(text: string, secretName: SecretName): boolean {
  if (secretName.strength !== "weak") return text !== "" && !isPlaceholder(text);
  const { length, hasLetter, hasDigit, hasSpace } = examineLooks(text);
  return length >= 6 && hasLetter && hasDigit && !hasSpace && !isPlaceholder(text);
}

/** `NAME=value` without spaces. */
function isEnvironmentLine({ text }: Stretch, at: number, name: NameBefore): boolean {
  return text.charAt(at) === "=" && /^[A-Z][A-Z0-9_]*$/.test(name.text) && text.endsWith(name.text, at);
}

function isQuotedSecret({ text }: Pick<Value, "text">, { strength }: SecretName): boolean {
  const looks = examineLooks(text);
  if (looks.hasSpace || text.length < 6 || isPlaceholder(text)) return false;
  // The name of a type or a label, as in `password: "newPassword"`.
  if (!looks.hasDigit && /[a-z][A-Z]/.test(text) && isCodeName(text)) return false;
  switch (strength) {
    case "password":
      return looks.isAscii || looks.hasDigit;
    case "strong":
      return text.length >= 8 && looks.isAscii && (isMixed(looks) || looks.hasSign || text.length >= 20);
    case "weak":
      return isScrambled(looks);
  }
}

function isPlainSecret(value: Value, secretName: SecretName, setting: "line" | "query" | undefined): boolean {
  const { text, next } = value;
  const looks = examineLooks(text);
  if (isPlaceholder(text) || !looks.isAscii) return false;
  if (isRandomLooking(looks) && looks.turns >= 4) return true;
  if ("([{.".includes(next) && next !== "") return false;
  if (setting === "line") return isSettingSecret(text, looks, secretName);
  if (looks.turns < 4 && isCodeName(text)) return false;
  if (setting === "query" && isSettingSecret(text, looks, secretName)) return true;
  switch (secretName.strength) {
    case "password":
      return text.length >= 6 && looks.hasLetter && (looks.hasDigit || (looks.hasSign && text.length >= 8));
    case "strong":
      return text.length >= 8 && isMixed(looks);
    case "weak":
      return isScrambled(looks);
  }
}

/** The value of a setting is not prose, so a plain word may be a password there. */
function isSettingSecret(text: string, looks: Looks, { kind, strength }: SecretName): boolean {
  if (strength === "password") return text.length >= 4;
  if (text.length < 8 || !looks.hasLetter || text.includes("(")) return false;
  return isMixed(looks) || (strength === "strong" && text.length >= 16) || (kind !== "key" && !isCodeName(text));
}

function isMixed({ hasLetter, hasDigit, turns }: Looks): boolean {
  return hasLetter && (hasDigit || turns > 0);
}

/** Random, or short and with digits all over, as in `s3cr3t`. */
function isScrambled(looks: Looks): boolean {
  return isRandomLooking(looks) || (!looks.hasSpace && looks.length >= 6 && looks.turns >= 4);
}
