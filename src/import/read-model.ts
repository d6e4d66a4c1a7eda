import { readModelName } from "../definition/origins/model-names.ts";
import { parseModel } from "../definition/parse-model.ts";

/** A model's name here, "open" where the original leaves the choice to somebody else, undefined where nobody knows it. */
export function readModel(shown: string): { readonly name: string } | "open" | undefined {
  const read = readModelName(shown);
  if (read === "open") return read;
  return read !== "unknown" && parseModel(read.name) !== undefined ? read : undefined;
}

/** A model of a provider, which may be part of its name already. */
export function joinModel(provider: string | undefined, model: string | undefined): string | undefined {
  if (model === undefined) return undefined;
  if (provider === undefined) {
    const read = readModel(model);
    return typeof read === "object" ? read.name : undefined;
  }
  const whole = `${provider.replace(/[^\w.-]+/g, "-")}/${model.replace(/\s+/g, "-")}`;
  return parseModel(whole) === undefined ? undefined : whole;
}
