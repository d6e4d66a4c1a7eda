import { jsonSchemas } from "../scenario/json-schemas.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** `baton schema`: prints what an editor needs to complete and check a file. */
export function schema(kind: string, terminal: Terminal): number {
  const found = new Map(Object.entries(jsonSchemas)).get(kind);
  if (found === undefined) {
    terminal.note(`error: there is no schema '${kind}'; choose one of ${Object.keys(jsonSchemas).join(", ")}`);
    return exitCodes.usage;
  }
  terminal.print(JSON.stringify(found, undefined, 2));
  return exitCodes.completed;
}
