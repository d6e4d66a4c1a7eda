import { compileRegex } from "../regex/compile-regex.ts";
import { parseItemPath } from "../template/item-path.ts";
import type { DiagnosticCode } from "../vocabulary/diagnostic.ts";
import { DURATION, MAX_SECONDS, parseDuration } from "../vocabulary/duration.ts";
import { fillReferences } from "../vocabulary/environment-references.ts";
import { type JsonSchema, reportUnfit, type Shape } from "./shape.ts";
import { findTrailingComment } from "./slash-comments.ts";

/** A value as read, and as it is written. */
type Parse<Value> = (value: string | number | boolean, written: string) => Value | undefined;

/** How a scalar that does not fit is reported. */
interface Refusal {
  readonly code?: DiagnosticCode;
  /** What to write instead, where that is plain. */
  readonly advise?: (written: string) => string;
}

/** A scalar that `parse` accepts. */
function scalar<Value>(
  schema: JsonSchema,
  wanted: string,
  parse: Parse<Value>,
  { code = "wrong-type", advise = () => "" }: Refusal = {},
): Shape<Value> {
  return {
    wanted,
    schema,
    read(node, name, reading) {
      const value = node.kind === "scalar" && node.value !== null ? parse(node.value, node.written) : undefined;
      if (value !== undefined) return value;
      const hint = node.kind === "scalar" ? advise(node.written) : "";
      return reportUnfit(reading, node, name, wanted, { code, hint });
    },
  };
}

export const text: Shape<string> = {
  wanted: "text",
  schema: { type: "string" },
  read(node, name, reading) {
    if (node.kind === "scalar" && typeof node.value === "string") return node.value;
    const [only] = node.kind === "list" && node.items.length === 1 ? node.items : [];
    // An unquoted [NAME] is a list to YAML.
    const isSignal = only?.kind === "scalar" && only.value !== null;
    const hint = isSignal ? `; write "[${only.value}]"` : node.kind === "scalar" ? "; put it in quotes" : "";
    return reportUnfit(reading, node, name, "text", { hint });
  },
};

/** A text; nothing at all reads as an empty one. */
export const textOrNothing: Shape<string> = {
  ...text,
  schema: { type: ["string", "null"] },
  read: (node, name, reading) => (node.kind === "scalar" && node.value === null ? "" : text.read(node, name, reading)),
};

/** Names are shown to people and sent to terminals. */
const isPrintable = (name: string) => !/[\p{Cc}\p{Bidi_Control}]/u.test(name);

/** A name, as it is written: `id: 007` is a name to people. Accents are composed, so that names that look equal are. */
export const word: Shape<string> = scalar({ type: ["string", "number"], minLength: 1 }, "a name", (value, written) => {
  const name = typeof value === "number" ? written : String(value).normalize("NFC");
  const isName = name.trim() !== "" && isPrintable(name) && findTrailingComment(name) === undefined;
  return typeof value !== "boolean" && isName ? name : undefined;
});

/** A name, or an empty text, which says that there is none. */
export const wordOrNone: Shape<string> = scalar(
  { type: ["string", "number"] },
  "a name, or empty",
  (value, written) => {
    const name = typeof value === "number" ? written : String(value).normalize("NFC");
    return typeof value !== "boolean" && isPrintable(name) ? name : undefined;
  },
);

/** The same, where nothing at all says that there is none too. */
export const nameOrNothing: Shape<string> = {
  ...wordOrNone,
  schema: { type: ["string", "number", "null"] },
  read: (node, name, reading) =>
    node.kind === "scalar" && node.value === null ? "" : wordOrNone.read(node, name, reading),
};

/** A text of one line for people. */
export const label: Shape<string> = scalar({ type: "string" }, "text of one line", (value) =>
  typeof value === "string" && isPrintable(value) ? value : undefined,
);

/** A text, or a number or flag as it is written: where only text can be meant, quotes are not needed. */
export const asWritten: Shape<string> = scalar({ type: ["string", "number", "boolean"] }, "text", (value, written) =>
  typeof value === "string" ? value : written,
);

export const textOrNumber: Shape<string | number> = scalar(
  { type: ["string", "number"] },
  "text or a number",
  (value) => (typeof value === "boolean" ? undefined : value),
);

/** A regular expression, checked to be one. */
export const pattern: Shape<string> = scalar({ type: "string", format: "regex" }, "a regular expression", (value) => {
  try {
    compilePattern(String(value));
    return value === "" ? undefined : String(value);
  } catch {
    return undefined;
  }
});

/** One that is tried on what models write, and must not take longer than they do. */
export const linearPattern: Shape<string> = {
  wanted: "a regular expression",
  schema: { type: "string", format: "regex" },
  read(node, name, reading) {
    const source = node.kind === "scalar" && node.value !== null ? String(node.value) : "";
    const regex = source === "" ? { problem: "is none" } : compileRegex(source);
    if (!("problem" in regex)) return source;
    const hint = regex.problem === "is none" ? "" : `, which ${regex.problem}`;
    return reportUnfit(reading, node, name, "a regular expression", { hint });
  },
};

/** A way into JSON. */
export const itemPath: Shape<string> = scalar(
  { type: "string", pattern: "^\\$" },
  'a path into JSON such as $, $.sections, $[0] or $["a key"]',
  (value) => (parseItemPath(String(value)) === undefined ? undefined : String(value)),
  { code: "bad-items-path" },
);

/** With Unicode's classes where it may have them; without, escapes that are not needed are allowed. */
export function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

/** Where something can be posted to. A password in it would be shown wherever the address is. */
export const webAddress: Shape<string> = scalar(
  { type: "string", pattern: "^(https?://[^\\s/?#@\\\\]+([/?#]\\S*)?|\\$\\{\\S+)$" },
  "an address, http://… or https://…, without a user and password in it",
  // What a variable stands for is not known here: it may be a name or a port, and the one that begins the text a whole address.
  (value) => {
    const text = String(value);
    const whole = text.startsWith("${") ? `https://${text}` : text;
    return ["x", "1"].some((each) => isWebAddress(fillReferences(whole, {}, () => each))) ? text : undefined;
  },
  { code: "bad-address" },
);

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/.test(text) && URL.canParse(text);
}

/** What YAML 1.1 and people take for a flag, besides true and false. */
const flagWords = new Map(
  [
    ["true", true],
    ["yes", true],
    ["on", true],
    ["false", false],
    ["no", false],
    ["off", false],
  ].flatMap(([word, value]) => {
    const lower = String(word);
    const spellings = [lower, lower.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)];
    return spellings.map((each) => [each, value === true] as const);
  }),
);

export const flag: Shape<boolean> = scalar({ enum: [true, false, ...flagWords.keys()] }, "true or false", (value) =>
  typeof value === "boolean" ? value : flagWords.get(String(value)),
);

/** One of the words; `true` and `false`, in every spelling of theirs, stand for two of them. */
export function wordOrFlag<const Word extends string>(words: readonly Word[], on: Word, off: Word): Shape<Word> {
  const listed = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return scalar({ enum: [...words, true, false, ...flagWords.keys()] }, listed, (value) => {
    const isOn = typeof value === "boolean" ? value : flagWords.get(String(value));
    return isOn === undefined ? words.find((word) => word === value) : isOn ? on : off;
  });
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export function integer(bounds: Bounds = {}): Shape<number> {
  return scalar({ type: "integer", ...limits(bounds) }, `a whole number${inWords(bounds)}`, (value) =>
    Number.isSafeInteger(value) && isWithin(Number(value), bounds) ? Number(value) : undefined,
  );
}

export function number(bounds: Bounds = {}): Shape<number> {
  return scalar({ type: "number", ...limits(bounds) }, `a number${inWords(bounds)}`, (value) =>
    typeof value === "number" && Number.isFinite(value) && isWithin(value, bounds) ? value : undefined,
  );
}

/** Seconds, perhaps fractional. */
export const seconds: Shape<number> = scalar(
  { type: "number", exclusiveMinimum: 0, maximum: MAX_SECONDS },
  "a number of seconds above 0",
  (value) => (typeof value === "number" && value > 0 && value <= MAX_SECONDS ? value : undefined),
  {
    advise: (written) => {
      const ms = Number.isNaN(Number(written)) ? parseDuration(written) : undefined;
      return ms === undefined ? "" : `; write ${ms / 1000}`;
    },
  },
);

/** Milliseconds, or a number with a unit: `500ms`, `30s`, `5m`, `1h`, `2d`; read as milliseconds. */
export const duration: Shape<number> = scalar(
  {
    anyOf: [
      { type: "number", exclusiveMinimum: 0, maximum: MAX_SECONDS * 1000 },
      { type: "string", pattern: DURATION },
    ],
  },
  "a duration such as 500 (milliseconds), 30s or 5m",
  (value) => parseDuration(value),
  { code: "bad-duration" },
);

function isWithin(value: number, bounds: Bounds): boolean {
  return value >= (bounds.min ?? Number.NEGATIVE_INFINITY) && value <= (bounds.max ?? Number.POSITIVE_INFINITY);
}

function limits(bounds: Bounds): JsonSchema {
  return {
    ...(bounds.min === undefined ? {} : { minimum: bounds.min }),
    ...(bounds.max === undefined ? {} : { maximum: bounds.max }),
  };
}

function inWords(bounds: Bounds): string {
  if (bounds.min !== undefined && bounds.max !== undefined) return ` from ${bounds.min} to ${bounds.max}`;
  return bounds.min === undefined ? "" : ` of at least ${bounds.min}`;
}
