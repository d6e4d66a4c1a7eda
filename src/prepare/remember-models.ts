import type { Script } from "../models/script-model.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { ModelOptions } from "../vocabulary/run-start.ts";
import { type ModelSource, parseModels } from "./prepare-models.ts";
import { readScript } from "./read-script.ts";

/** Finds the newest choice of models of a run; undefined if it used the crew's own. */
export function findModelOptions(events: readonly BatonEvent[]): ModelOptions | undefined {
  return events
    .map((event) =>
      event.type === "run.started" || event.type === "run.resumed" || event.type === "run.continued"
        ? event.data.modelOptions
        : undefined,
    )
    .findLast((options) => options !== undefined);
}

/** The models that a run used before, unless new ones are given. */
export function rememberModels(
  source: ModelSource | undefined,
  events: readonly BatonEvent[],
): ModelSource | undefined {
  const before = findModelOptions(events);
  if (before === undefined || source?.script !== undefined || source?.instead !== undefined) return source;
  if (before.isScriptInCode)
    throw new BatonError(
      "bad-script",
      "the run was given a script in code, which is not stored: give it again, as { script } in the options of the call or of the crew",
    );
  const { script, model } = before;
  return {
    ...source,
    ...(script !== undefined && { script: readAgain(script) }),
    ...(model !== undefined && { instead: parseModels(model) }),
  };
}

/** How the models of a call are given: by a script of its own, or as for all runs. */
export function nameModelOptions(
  script: Script | undefined,
  named: ModelOptions | undefined,
): ModelOptions | undefined {
  return script === undefined ? named : { isScriptInCode: true };
}

/** Lists the model options that differ from those of the run before. */
export function listChangedOptions(
  named: ModelOptions | undefined,
  events: readonly BatonEvent[],
): ModelOptions | undefined {
  const before = findModelOptions(events);
  const isSame =
    named?.script === before?.script &&
    named?.model === before?.model &&
    named?.isScriptInCode === before?.isScriptInCode;
  return isSame ? undefined : named;
}

function readAgain(file: string): NonNullable<ModelSource["script"]> {
  try {
    return readScript(file);
  } catch (cause) {
    if (!(cause instanceof BatonError)) throw cause;
    const message = `the run was given the script '${file}', which cannot be used any more: ${cause.message}; give another (--script) or a model (--model)`;
    throw new BatonError("bad-script", message, { cause });
  }
}
