import type { PauseTimeout } from "../vocabulary/pause.ts";
import { fields, required } from "./fields.ts";
import { duration, text } from "./scalar-shapes.ts";
import { choice, spelled, type ValueOf } from "./shape.ts";

const decisionShape = spelled(
  choice("reject", "approve", "fail"),
  fields({ input: required(text, "the text that is taken as the answer") }),
);

/** `2h` alone fails the run; the long form says what else is decided. */
export const pauseTimeoutShape = spelled(
  duration,
  fields({
    after: required(duration, "how long the pause waits, such as 30m, 2h or 3d"),
    // biome-ignore lint/suspicious/noThenProperty: the key of the file; what is read has another name.
    then: required(decisionShape, "what is decided then: reject, approve, fail, or { input: … }"),
  }),
);

type PauseTimeoutKeys = ValueOf<typeof pauseTimeoutShape>;

/** The limit of a pause; undefined where there is none, or where what is wrong with it has been reported. */
export function buildPauseTimeout(keys: PauseTimeoutKeys | undefined): PauseTimeout | undefined {
  if (keys === undefined) return undefined;
  if (typeof keys === "number") return { afterMs: keys, decision: "fail" };
  const { after: afterMs, then: decision } = keys;
  if (afterMs === undefined || decision === undefined) return undefined;
  if (typeof decision === "string") return { afterMs, decision };
  return decision.input === undefined ? undefined : { afterMs, decision: { input: decision.input } };
}
