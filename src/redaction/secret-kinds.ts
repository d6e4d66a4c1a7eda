import { tokenKinds } from "./token-kinds.ts";

/** Kinds that the words around a secret tell. */
const contextKinds = [
  "environment value",
  "private key",
  "password",
  "secret",
  "token",
  "key",
  "credentials",
  "URL password",
  "webhook",
  "signature",
  "cookie",
  "Telegram token",
] as const;

export type ContextKind = (typeof contextKinds)[number];

/** Every kind of secret, with the name that markers use. */
export const secretKinds: readonly string[] = [...contextKinds, ...new Set(tokenKinds.map(({ kind }) => kind))];
