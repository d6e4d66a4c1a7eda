import { isAllowedHost, resolveOuter } from "../../tools/builtin/address-guard.ts";
import { describeThrown } from "../../vocabulary/errors.ts";
import { Refusal } from "../problem.ts";

/** Refuses an address that may not be told: only public ones over HTTPS are, or hosts that the operator allows. */
export async function allowPushAddress(text: string, allowed: readonly string[]): Promise<URL> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new Refusal("bad-request", "the 'url' of a push notification is an address: https://…");
  if (url.username !== "" || url.password !== "")
    throw new Refusal("bad-request", "the 'url' of a push notification has no user or password");
  if (isAllowedHost(url.hostname, allowed)) return url;
  if (url.protocol !== "https:") throw new Refusal("bad-request", "push notifications go over https");
  await resolvePushAddress(url, allowed);
  return url;
}

/** The address to connect to, looked up once. */
export async function resolvePushAddress({ hostname }: URL, allowed: readonly string[]): Promise<string> {
  try {
    return await resolveOuter(hostname, isAllowedHost(hostname, allowed));
  } catch (error) {
    throw new Refusal("bad-request", `push notifications cannot go there: ${describeThrown(error)}`);
  }
}
