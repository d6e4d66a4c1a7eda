import type { Crew } from "../crew.ts";
import { BatonError } from "../errors.ts";
import { allCrews } from "./all-crews.ts";

/** What crews may declare and this version cannot run. Better no run than one that leaves something out. */
export function refuseUnsupported(crew: Crew): void {
  const isMissing = allCrews(crew).some(
    ([
      ,
      {
        settings: { learning },
      },
    ]) => learning.hints || learning.auto,
  );
  if (isMissing) throw new BatonError("not-supported", "this crew uses what cannot be run yet: learning");
}
