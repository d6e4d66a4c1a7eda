import type { ContextKind } from "./secret-kinds.ts";

/** What a name says about its value: that it is a secret, or that it is one if it also looks random. */
export interface SecretName {
  readonly kind: ContextKind;
  readonly strength: "password" | "strong" | "weak";
}

/** Endings of names, in small letters and without `_`, `-`, `.` and spaces. The first match decides. */
const endings: readonly (readonly [ending: string, kind: ContextKind, strength: SecretName["strength"]])[] = [
  ...createNames("password", "password", "password", "passwd", "passphrase", "passcode"),
  ...createNames("password", "weak", "pwd", "dbpass", "userpass", "mysqlpass"),
  ...createNames(
    "secret",
    "strong",
    "clientsecret",
    "apisecret",
    "appsecret",
    "consumersecret",
    "webhooksecret",
    "jwtsecret",
  ),
  ...createNames("secret", "strong", "sharedsecret", "signingsecret", "sessionsecret", "oauthsecret", "tokensecret"),
  ...createNames("secret", "weak", "secret"),
  ...createNames(
    "key",
    "strong",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "encryptionkey",
    "signingkey",
  ),
  ...createNames("key", "strong", "masterkey", "accountkey", "servicekey", "licensekey", "subscriptionkey", "appkey"),
  ...createNames("token", "strong", "accesstoken", "authtoken", "refreshtoken", "apitoken", "bearertoken", "bottoken"),
  ...createNames("token", "strong", "sessiontoken", "securitytoken", "personaltoken", "deploytoken"),
  ...createNames("token", "weak", "token"),
  ...createNames("credentials", "weak", "credential", "credentials"),
  ...createNames("signature", "strong", "xamzsignature", "xgoogsignature"),
];

/** Tokens that only say where a list continues. Readers of the list need them. */
const publicEndings = ["pagetoken", "nexttoken", "continuationtoken", "synctoken", "cursortoken", "resumetoken"];

/** What a name such as `db_password`, `apiKey` or `STRIPE_KEY` says about its value. */
export function readSecretName(name: string): SecretName | undefined {
  const plain = removeNumber(name.replace(/[-_. ]/g, "")).toLowerCase();
  if (publicEndings.some((ending) => plain.endsWith(ending))) return undefined;
  const found = endings.find(([ending]) => plain.endsWith(ending));
  if (found !== undefined) return { kind: found[1], strength: found[2] };
  return /[A-Z0-9]_KEY$/.test(name) ? { kind: "key", strength: "weak" } : undefined;
}

/**
 * Removes the number of names such as `password2`. A regular expression that searches for the end would take more than linear
 * time.
 */
function removeNumber(name: string): string {
  let end = name.length;
  while (end > 0 && "0123456789".includes(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

/** The last three letters of all such names, and of other names that rules know, as numbers. */
const lastLetters: ReadonlySet<number> = new Set(
  [...endings.map(([ending]) => ending), "key", "authorization", "cookie", "sig"].map((name) =>
    packLettersBefore(name, name.length),
  ),
);

/** Whether the name that ends at `end` may name a secret. This check alone rules out nearly all other names. */
export function mayNameSecret(text: string, end: number): boolean {
  return end >= 3 && lastLetters.has(packLettersBefore(text, end));
}

/** Packs three characters into a number. The bit that distinguishes small from capital letters is set in each. */
function packLettersBefore(text: string, end: number): number {
  const [a, b, c] = [text.charCodeAt(end - 3), text.charCodeAt(end - 2), text.charCodeAt(end - 1)];
  return ((a | 32) << 14) | ((b | 32) << 7) | (c | 32);
}

function createNames(kind: ContextKind, strength: SecretName["strength"], ...words: string[]) {
  return words.map((word) => [word, kind, strength] as const);
}
