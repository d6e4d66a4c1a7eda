import { isTraced } from "../telemetry/open-run-spans.ts";

/** As long as a command waits for those who trace it. */
const FLUSH_MS = 5000;

/** Has what was traced sent before the command ends its process. */
export async function flushTraces(): Promise<void> {
  if (!isTraced()) return;
  const { flushSpans } = await import("../telemetry/flush-spans.ts");
  await flushSpans(FLUSH_MS);
}
