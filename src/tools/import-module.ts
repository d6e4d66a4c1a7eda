import { pathToFileURL } from "node:url";
import type { ToolModule } from "../vocabulary/crew.ts";
import { nameKind } from "../vocabulary/wording.ts";

const LOAD_TIMEOUT_MS = 30_000;

/**
 * Imports a module that a crew names. It throws what importing throws. A process imports each file once; with another `version` it
 * imports the file again, as it is now.
 */
export function importModule(file: string, version?: number): Promise<Readonly<Record<string, unknown>>> {
  const { href } = pathToFileURL(file);
  return limitTime(import(version === undefined ? href : `${href}?version=${version}`));
}

/** Why an export cannot be used: what it is, what it should be, and what the module exports. */
export function explainWrongExport(
  { file, exportName }: ToolModule,
  module: Readonly<Record<string, unknown>>,
  wanted: string,
): string {
  const value = module[exportName];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const kind = isObject ? `${nameKind(value)} without 'execute'` : nameKind(value);
  const is = exportName in module ? kind : "missing";
  const exports = Object.keys(module).join(", ") || "nothing";
  return `the export '${exportName}' of ${file} is ${is}: export ${wanted}. The module exports ${exports}`;
}

/** A module whose top level waits for ever would otherwise end the process without a message. */
function limitTime<Value>(loading: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = new Error(`it did not load within ${LOAD_TIMEOUT_MS / 1000} s`);
    const timer = setTimeout(() => reject(late), LOAD_TIMEOUT_MS);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
