/** Names of variables that contain a secret. */
const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|CREDENTIALS?|PAT)$|(?:PASSWORD|PASSWD|PASSPHRASE|APIKEY)$/i;
const ADDRESS_NAME = /(?:^|_)(?:URL|URI|DSN)$/i;
const ADDRESS_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:\s]*:([^/?#\s]+)@/i;
const SHORTEST_VALUE = 8;
/** The path of a file with a secret is not a secret, and people talk about it. */
const FILE = /^(?:[.~]?\/|[A-Za-z]:\\).*\.(?:json|pem|key|p12|pfx|crt|txt|ya?ml)$/;
const trivialValues: ReadonlySet<string> = new Set(
  "localhost undefined disabled enabled required optional password changeme production development placeholder 127.0.0.1".split(
    " ",
  ),
);

/** Lists the secret values of environment variables in all their forms: plain and encoded. */
export function listEnvironmentSecrets(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const secrets = Object.entries(variables).flatMap(([name, value]) => listSecrets(name, value ?? ""));
  const forms = secrets.filter(isWorthHiding).flatMap(listForms);
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_VALUE);
}

function listSecrets(name: string, value: string): string[] {
  if (SECRET_NAME.test(name)) return [value, value.trim()];
  const password = ADDRESS_NAME.test(name) ? ADDRESS_PASSWORD.exec(value)?.[1] : undefined;
  return password === undefined ? [] : [password, decodeText(password)];
}

function isWorthHiding(value: string): boolean {
  if (value.length < SHORTEST_VALUE || new Set(value).size < 4) return false;
  return !trivialValues.has(value.toLowerCase()) && !FILE.test(value);
}

function listForms(value: string): string[] {
  const base64 = [0, 1, 2].map((offset) => encodeBase64(value, offset));
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** The base64 characters that depend only on the value, if the value begins `offset` bytes into a group of three. */
function encodeBase64(value: string, offset: number): string {
  const bytes = new TextEncoder().encode(value);
  const binary = "\0".repeat(offset) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const whole = Math.floor((binary.length * 8) / 6);
  return btoa(binary).slice(Math.ceil((offset * 8) / 6), whole);
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A stray `%` means that the text is not URL-encoded.
  }
}
