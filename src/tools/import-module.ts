import { pathToFileURL } from "node:url";

const LOAD_TIMEOUT_MS = 30_000;

/** Imports a module that a crew names. It throws what importing throws. */
export function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  return limitTime(import(pathToFileURL(file).href));
}

/** Names the exports of a module for a message. */
export function listExports(module: Readonly<Record<string, unknown>>): string {
  return Object.keys(module).join(", ") || "nothing";
}

/** A module whose top level waits for ever would otherwise end the process without a message. */
function limitTime<Value>(loading: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = new Error(`it did not load within ${LOAD_TIMEOUT_MS / 1000} s`);
    const timer = setTimeout(() => reject(late), LOAD_TIMEOUT_MS);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
