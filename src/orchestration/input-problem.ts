import type { Crew } from "../vocabulary/crew.ts";
import type { Failure } from "../vocabulary/events.ts";

/** Why a crew does not take an input. */
export function inputProblem(input: string, { settings }: Crew): Failure | undefined {
  const size = Buffer.byteLength(input) / 1024;
  const limit = settings.maxInputSizeKb;
  if (limit === undefined || size <= limit) return undefined;
  return {
    code: "input_too_large",
    message: `the input has ${size.toFixed(1)} KB; 'max_input_size_kb' allows ${limit}`,
  };
}
