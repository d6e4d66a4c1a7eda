import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Networks that are not the public internet: of this machine, private, link-local (where clouds keep credentials), reserved. */
const inner = createInnerNetworks();

function createInnerNetworks(): BlockList {
  const list = new BlockList();
  const four: readonly (readonly [string, number])[] = [
    ...[["0.0.0.0", 8] as const, ["10.0.0.0", 8] as const, ["100.64.0.0", 10] as const, ["127.0.0.0", 8] as const],
    ...[["169.254.0.0", 16] as const, ["172.16.0.0", 12] as const, ["192.0.0.0", 24] as const],
    ...[["192.0.2.0", 24] as const, ["192.88.99.0", 24] as const, ["192.168.0.0", 16] as const],
    ...[["198.18.0.0", 15] as const, ["198.51.100.0", 24] as const, ["203.0.113.0", 24] as const],
    ...[["224.0.0.0", 4] as const, ["240.0.0.0", 4] as const],
  ];
  for (const [network, prefix] of four) list.addSubnet(network, prefix, "ipv4");
  // Of version 6 only global unicast is public, without what wraps an address of version 4 or is reserved.
  for (const [network, prefix] of [["::", 3] as const, ["4000::", 2] as const, ["8000::", 1] as const])
    list.addSubnet(network, prefix, "ipv6");
  for (const [network, prefix] of [["2001::", 23] as const, ["2001:db8::", 32] as const, ["2002::", 16] as const])
    list.addSubnet(network, prefix, "ipv6");
  return list;
}

function isInnerAddress(address: string): boolean {
  const version = isIP(address);
  return version === 0 || inner.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** Whether a host is in a list of hosts; `*.example.org` stands for all below it. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return allowed.some((each) => {
    const wanted = each.toLowerCase();
    return wanted.startsWith("*.") ? name.endsWith(wanted.slice(1)) : name === wanted;
  });
}

/**
 * The address to connect to. It is looked up once, and the connection goes to exactly that address: a name that points elsewhere a
 * moment later changes nothing. If any address of a name is inner, the name is refused.
 */
export async function resolveOuter(host: string, isPrivate: boolean): Promise<string> {
  const bare = host.replace(/^\[|\]$/g, "");
  const addresses = isIP(bare) === 0 ? (await lookup(bare, { all: true })).map(({ address }) => address) : [bare];
  const [first] = addresses;
  if (first === undefined) throw new Error(`'${host}' has no address`);
  if (!isPrivate && addresses.some(isInnerAddress)) throw new Error(`'${host}' is in a private network`);
  return first;
}
