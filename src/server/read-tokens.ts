import { readTokenEntries, type TokenEntry } from "../definition/tokens-shape.ts";
import { ConfigurationError } from "../vocabulary/errors.ts";
import type { Token } from "./token.ts";

/** Reads the tokens of a file. It throws a `ConfigurationError` with every problem. */
export function readTokens(file: string): readonly Token[] {
  const read = readTokenEntries(file);
  if ("diagnostics" in read) throw new ConfigurationError(`the tokens in ${file} cannot be used`, read.diagnostics);
  const tokens = read.entries.map((entry) => toToken(entry, file));
  const names = tokens.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new ConfigurationError(`two tokens in ${file} are called '${twice}'`, []);
  return tokens;
}

function toToken(entry: TokenEntry, file: string): Token {
  const { name = "", sha256 = "", expires, scopes = [], crews } = entry;
  const refuse = (why: string) => new ConfigurationError(`token '${name}' in ${file} ${why}`, []);
  if (!/^[0-9a-f]{64}$/i.test(sha256))
    throw refuse("has no SHA-256 of 64 hexadecimal digits: make the line with baton token new");
  if (name === "deadline") throw refuse("has a name that stands for the deadline of a pause: choose another one");
  const until = expires === undefined ? undefined : Date.parse(expires);
  if (Number.isNaN(until)) throw refuse(`expires at '${expires}', which is not a date: write 2027-01-31`);
  return {
    name,
    digest: Buffer.from(sha256, "hex"),
    expires: until,
    scopes: new Set(scopes),
    crews,
    maxRuns: entry.max_runs,
    requestsPerMinute: entry.requests_per_minute,
    maxCostUsdPerDay: entry.max_cost_usd_per_day,
  };
}
