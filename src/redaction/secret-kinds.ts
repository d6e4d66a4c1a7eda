import { tokenKinds } from "./token-kinds.ts";

/** What is known by the words around it. */
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

/** Every kind of secret, as its marker names it. */
export const secretKinds: readonly string[] = [...contextKinds, ...new Set(tokenKinds.map(({ kind }) => kind))];
