import type { Guard } from "./source-guard.ts";

/** What pages of allowed origins may send. */
export const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
  "Access-Control-Allow-Headers":
    // SDKs add headers of their own. `*` stands for all but Authorization, since no cookies are sent.
    "Authorization, *",
} as const;

/** Only pages that were named get to read answers. */
export function corsHeaders(
  { origins }: Guard,
  origin: string | undefined,
): Readonly<Record<string, string>> | undefined {
  if (origin === undefined || !origins.has(origin)) return undefined;
  const exposed = ["location", "etag", "retry-after", "preference-applied", "baton-ignored", "baton-run"].join(", ");
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": exposed, Vary: "Origin" };
}
