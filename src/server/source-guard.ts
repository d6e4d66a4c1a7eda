import { Refusal } from "./problem.ts";

/** Where requests may come from. */
export interface Guard {
  /** Names of this server, as browsers and proxies write them in `Host`. */
  readonly hosts: ReadonlySet<string>;
  /** Pages that may use the server from a browser. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Allows the names that were given, those of this machine itself, and the public URL. */
export function createGuard(options: {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly origins: readonly string[];
  readonly publicUrl: string | undefined;
}): Guard {
  const { host, allowedHosts, origins, publicUrl } = options;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl)];
  const bound = host.includes(":") ? `[${host}]` : host;
  const hosts = [bound, ...LOOPBACK, ...allowedHosts, ...own.map(({ hostname }) => hostname)];
  return {
    hosts: new Set(hosts.map((name) => name.toLowerCase())),
    origins: new Set([...origins.map((origin) => new URL(origin).origin), ...own.map(({ origin }) => origin)]),
  };
}

/** Refuses a request that was sent to another name, as DNS rebinding does, or from a page that may not use the server. */
export function checkSource(guard: Guard, host: string | undefined, origin: string | undefined): void {
  const name = readHostName(host);
  if (name === undefined || !guard.hosts.has(name))
    throw new Refusal(
      "host-not-allowed",
      "this server does not answer to the name in 'Host'; allow it with --allowed-host",
    );
  if (origin === undefined || guard.origins.has(origin) || isOwnOrigin(origin, host)) return;
  throw new Refusal("origin-not-allowed", "pages of this origin may not use the server; allow it with --origin");
}

/** The name in a `Host` header without its port; undefined if there is more or less than a name in it. */
function readHostName(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host ?? "");
  return match?.[1]?.toLowerCase();
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** Refuses bodies of other types: a page can send those without asking the server first. */
export function checkContentType(type: string | undefined): void {
  const [media = ""] = (type ?? "").split(";");
  if (media.trim().toLowerCase() === "application/json") return;
  throw new Refusal("unsupported-media-type", "send the body as 'Content-Type: application/json'");
}
