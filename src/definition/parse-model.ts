import type { Model } from "../crew.ts";

/** `provider/model` or `provider:model`; undefined where it is neither. */
export function parseModel(name: string): Model | undefined {
  const [, provider, model] = /^([a-z][a-z0-9_.-]*)[/:](?!\/\/)(\S+)$/i.exec(name) ?? [];
  return provider === undefined || model === undefined ? undefined : { provider, model };
}
