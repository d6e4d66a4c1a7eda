import { ALNUM, DIGIT, LETTER, LOWER, readClass, UPPER } from "./characters.ts";

/** What a value consists of. */
export interface Looks {
  readonly length: number;
  readonly hasLetter: boolean;
  readonly hasDigit: boolean;
  readonly hasSpace: boolean;
  readonly hasSign: boolean;
  readonly isAscii: boolean;
  /** How often letters and digits, or small and capital letters, alternate in a way that words and names do not. */
  readonly turns: number;
}

export function examineLooks(value: string): Looks {
  let seen = 0;
  let turns = 0;
  let hasSpace = false;
  let hasSign = false;
  let isAscii = true;
  let before = 0;
  let last = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    const found = readClass(value, at) & ALNUM;
    if (code > 127) isAscii = false;
    if (code === 32 || code === 9) hasSpace = true;
    else if (code < 128 && found === 0 && !"-_.:/,".includes(value.charAt(at))) hasSign = true;
    if (isTurn(before, last, found)) turns++;
    seen |= found;
    before = last;
    last = found;
  }
  const hasLetter = (seen & LETTER) !== 0;
  return { length: value.length, hasLetter, hasDigit: (seen & DIGIT) !== 0, hasSpace, hasSign, isAscii, turns };
}

/** A digit beside a letter, or a single small letter between two capitals. */
function isTurn(before: number, last: number, found: number): boolean {
  if ((last & DIGIT) !== 0) return (found & LETTER) !== 0;
  if ((found & DIGIT) !== 0) return (last & LETTER) !== 0;
  return (before & UPPER) !== 0 && (last & LOWER) !== 0 && (found & UPPER) !== 0;
}

/** Whether a value looks random: long, with digits all over. */
export function isRandomLooking({ length, hasLetter, hasDigit, hasSpace, isAscii, turns }: Looks): boolean {
  return isAscii && !hasSpace && hasLetter && hasDigit && length >= 16 && turns >= Math.max(3, length / 16);
}

const plainWords: ReadonlySet<string> = new Set(
  (
    "string number boolean object array text integer required optional hidden password passwd passphrase passcode secret token " +
    "true false none null undefined nil empty blank unset default invalid missing incorrect wrong forgot forgotten reset change " +
    "changed changeme expired unknown disabled enabled private public input field label value example test testing sample " +
    "placeholder redacted masked encrypted hashed plain plaintext confirm confirmation bearer basic digest localhost " +
    "sha1 sha256 sha384 sha512 md5 base64 base64url utf8 utf16 oauth2 http2 bcrypt argon2 argon2id scrypt pbkdf2 x509 ed25519 " +
    "rsa2048 rsa4096 hs256 hs384 hs512 rs256 rs512 es256 aes128 aes256 uuid4 uuidv4 int32 int64 uint8 float32 float64 " +
    "production development staging"
  ).split(" "),
);

/** Whether a value is clearly not a secret: a placeholder, a reference, a plain word, a date or a path. */
export function isPlaceholder(value: string): boolean {
  if (plainWords.has(value.toLowerCase().replace(/[-_.!?]/g, ""))) return true;
  if (/^(?:<.*>|\{.*\}|\[.*\]|\(.*\)|\$[A-Za-z_]+|%[A-Za-z_]+%)$/.test(value)) return true;
  if (/^(?:\$[{(]|\$\w+(?:::|->|\.|\[)|\{\{|#\{|@\{|\*\*|\.\.)/.test(value)) return true;
  if (/^(?:[.~]?\/|[A-Za-z]:\\)[\w.\-/\\@ ]*$/.test(value) && examineLooks(value).turns < 4) return true;
  if (/^(?:https?:|file:|arn:|vault:|op:|env:|projects\/|secretRef|valueFrom)/i.test(value)) return true;
  // Some random values begin like this too.
  if (
    /^(?:your|insert|enter|change|replace|todo|fixme|xxx|process\.env|os\.|env\.|import\.meta)/i.test(value) &&
    examineLooks(value).turns < 4
  )
    return true;
  return /^\d{4}-\d\d-\d\d/.test(value) || /^(.)\1*$/.test(value);
}

const CODE_NAME = /^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|->|::)[A-Za-z_$][\w$]*)*$/;
const CODE_WORD =
  /(?:^|[_.])(?:pass|pwd|secret|token|key|input|value|param|args?|text|field|user|name|hash|str|conf|env|req|self|this|(?:get|is|new|old)(?=[A-Z_.]))|Pass|Pwd|Secret|Token|Key|Input|Value|Param|Text|Field|User|Name|Hash|String|Config|Env/;

/** Whether an unquoted value reads like a name in a program: `user2.password`, `token1`. */
export function isCodeName(value: string): boolean {
  return CODE_NAME.test(value) && (value.includes(".") || CODE_WORD.test(value));
}
