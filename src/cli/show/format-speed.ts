import type { Speed } from "../../views/measure-speed.ts";

/** `0.43s` and `52`; empty where nobody measured. */
export function formatSpeed({ msToFirstToken, tokensPerSecond }: Speed): {
  readonly first: string;
  readonly perSecond: string;
} {
  return {
    first: msToFirstToken === undefined ? "" : `${(msToFirstToken / 1000).toFixed(2)}s`,
    perSecond: tokensPerSecond === undefined ? "" : tokensPerSecond.toFixed(0),
  };
}
