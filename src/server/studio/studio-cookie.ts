import { Refusal } from "../problem.ts";
import type { Token } from "../token.ts";
import type { Studio } from "./studio.ts";

/** Pages of other origins cannot send this header without being asked first, and the server allows it to none of them. */
const HEADER = "x-baton-studio";

type ReadHeader = (name: string) => string | undefined;

/** The token of whoever is logged in. What changes something also needs the header, which no form and no image can send. */
export async function findStudioCaller(studio: Studio, method: string, header: ReadHeader): Promise<Token | undefined> {
  const secret = readCookie(header);
  if (secret === undefined) return undefined;
  if (method !== "GET") requireHeader(header);
  return await studio.sessions.find(secret, Date.now());
}

export function requireHeader(header: ReadHeader): void {
  if (header(HEADER) !== undefined) return;
  throw new Refusal("forbidden", `a request with the studio's cookie needs the header '${HEADER}'`);
}

export function readCookie(header: ReadHeader): string | undefined {
  const begin = `${nameCookie(header)}=`;
  const pairs = (header("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(begin))?.slice(begin.length);
}

/** The header that stores a secret in the browser; without one, it deletes the cookie. */
export function writeCookie({ isSecure }: Studio, header: ReadHeader, secret = "", seconds = 0): string {
  const name = nameCookie(header);
  return `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
}

/** Browsers share cookies between the ports of a machine, so that studios on several ports need several names. */
function nameCookie(header: ReadHeader): string {
  const [, port] = /:(\d{1,5})$/.exec(header("host") ?? "") ?? [];
  return port === undefined ? "baton_studio" : `baton_studio_${port}`;
}
