import { compileRegex } from "../../regex/compile-regex.ts";
import type { GuardCheck } from "../../vocabulary/guard.ts";

/** A text long enough for its language to be told, in two languages. */
const ENGLISH =
  "TODO: this is a text that is written in English, so that the guard and the people who read it can tell";
const GERMAN =
  "TODO: das ist ein Text, der auf Deutsch geschrieben ist, damit die Leute und der Wächter das auch sehen";

/** A text that trips a guard; undefined if a function or agent judges, which words cannot be sure to trip. */
export function writeTripWords(check: GuardCheck): string | undefined {
  switch (check.type) {
    case "max_chars":
      return "TODO ".repeat(Math.ceil(check.limit / 5) + 1);
    case "matches": {
      const regex = compileRegex(check.pattern);
      return "problem" in regex ? undefined : ["TODO: other words", "?", "todo", "0"].find((text) => !regex.test(text));
    }
    case "forbids":
      return `TODO: a text with ${check.texts[0] ?? ""}`;
    case "json":
      return "TODO: a text that is not JSON";
    case "language":
      return check.language === "en" ? GERMAN : ENGLISH;
    case "no_secrets":
      return `TODO: a text with AKIA${"TODO4".repeat(4).slice(0, 16)}`;
    case "grounded":
      return 'TODO: a text with "words that nobody gave" and 424242';
    case "module":
    case "agent":
      return undefined;
  }
}
