import { Refusal } from "./problem.ts";

/** Where requests may come from, and how their callers reach the server. */
export interface Guard {
  /** Names of this server, as browsers and proxies write them in `Host`. */
  readonly hosts: ReadonlySet<string>;
  /** Pages that may use the server from a browser. */
  readonly origins: ReadonlySet<string>;
  readonly publicUrl: string | undefined;
  /** Whether all requests come through a proxy that says in `X-Forwarded-Host` and `X-Forwarded-Proto` what it was asked for. */
  readonly trustsProxy: boolean;
}

/** What a request says of where it comes from, before any of it is believed. */
export interface Source {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** Known only from a proxy that is trusted. */
  readonly scheme: "http" | "https" | undefined;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Allows the names that were given, those of this machine itself, and the public URL. */
export function createGuard(options: {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly origins: readonly string[];
  readonly publicUrl: string | undefined;
  readonly trustsProxy: boolean;
}): Guard {
  const { host, allowedHosts, origins, publicUrl, trustsProxy } = options;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl)];
  const bound = host.includes(":") ? `[${host}]` : host;
  const hosts = [bound, ...LOOPBACK, ...allowedHosts, ...own.map(({ hostname }) => hostname)];
  return {
    hosts: new Set(hosts.map((name) => name.toLowerCase())),
    origins: new Set([...origins.map((origin) => new URL(origin).origin), ...own.map(({ origin }) => origin)]),
    publicUrl,
    trustsProxy,
  };
}

/** Reads the source of a request. Behind a trusted proxy, it is what the proxy was asked for. */
export function readSource({ trustsProxy }: Guard, header: (name: string) => string | undefined): Source {
  const forwarded = (name: string) => (trustsProxy ? header(name)?.split(",", 1)[0]?.trim() : undefined);
  const scheme = forwarded("x-forwarded-proto")?.toLowerCase();
  return {
    host: forwarded("x-forwarded-host") ?? header("host"),
    origin: header("origin"),
    scheme: scheme === "http" || scheme === "https" ? scheme : undefined,
  };
}

/** Refuses a request that was sent to another name, as DNS rebinding does, or from a page that may not use the server. */
export function checkSource(guard: Guard, source: Source): void {
  const { host, origin } = source;
  const name = readHostName(host);
  if (name === undefined || !guard.hosts.has(name))
    throw new Refusal(
      "host-not-allowed",
      "this server does not answer to the name in 'Host'; allow it with --allowed-host",
    );
  if (origin === undefined || guard.origins.has(origin) || isOwnOrigin(source)) return;
  throw new Refusal("origin-not-allowed", "pages of this origin may not use the server; allow it with --origin");
}

/** The address of the server, as the caller reaches it: what agent cards name. */
export function addressOf({ publicUrl }: Guard, { scheme = "http", host = "" }: Source): string {
  return publicUrl ?? `${scheme}://${host}`;
}

/** The address of a path of this server: a whole one if that is certain, else the path alone. */
export function locatePath(guard: Guard, source: Source, path: string): string {
  const isCertain = guard.publicUrl !== undefined || source.scheme !== undefined;
  return isCertain ? addressOf(guard, source) + path : path;
}

/** The name in a `Host` header without its port; undefined if there is more or less than a name in it. */
function readHostName(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host ?? "");
  return match?.[1]?.toLowerCase();
}

/** Without a trusted proxy, nobody knows whether one in between ends TLS. */
function isOwnOrigin({ origin, host, scheme }: Source): boolean {
  const schemes = scheme === undefined ? ["http", "https"] : [scheme];
  return schemes.some((each) => origin === `${each}://${host}`);
}

/** Refuses bodies of other types: a page can send those without asking the server first. */
export function checkContentType(type: string | undefined, others: readonly string[] = []): void {
  const [media = ""] = (type ?? "").split(";");
  if (["application/json", ...others].includes(media.trim().toLowerCase())) return;
  throw new Refusal("unsupported-media-type", "send the body as 'Content-Type: application/json'");
}
