import { z } from "zod";
import { BatonError } from "../../vocabulary/errors.ts";
import { type Call, defineRoute, type Reply, type Route } from "../api-route.ts";
import { Refusal } from "../problem.ts";
import type { Studio } from "./studio.ts";
import { readCookie, requireHeader, writeCookie } from "./studio-cookie.ts";

/** Nothing but the page's own files: neither inline scripts nor anything of another origin, and no frame around it. */
const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const safety = {
  "Content-Security-Policy": POLICY,
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const sessionSchema = z.strictObject({
  name: z.string(),
  scopes: z.array(z.string()),
  isLocal: z.boolean(),
  canWrite: z.boolean(),
});

/** The routes of a server that has the studio: its page, and sessions of browsers. Only `baton studio` and `serve --studio` have them. */
export const studioRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/studio/session",
    scope: "read",
    summary: "Who is logged in to the studio",
    result: sessionSchema,
    handle: (call) => ({ json: describeSession(call) }),
  }),
  defineRoute({
    method: "POST",
    path: "/studio/session",
    scope: "public",
    summary: "Logs a browser in, with the code of a link or with a token",
    body: z.strictObject({ code: z.string().max(200).optional(), token: z.string().max(600).optional() }),
    result: sessionSchema,
    async handle(call) {
      requireHeader(call.header);
      const studio = findStudio(call);
      const { code, token: secret } = call.body;
      const now = Date.now();
      const byCode = code === undefined || !studio.isLocal ? undefined : studio.sessions.redeem(code, now);
      const token = secret === undefined ? byCode : studio.sessions.findToken(secret, now);
      if (token === undefined)
        throw new Refusal(
          "unauthorized",
          secret === undefined
            ? "this link was used already, or it is too old: start the studio again for a new one"
            : "the server does not know this token, or it has expired",
        );
      const begun = await studio.sessions.begin(token, now);
      const headers = { "Set-Cookie": writeCookie(studio, call.header, begun.secret, begun.seconds) };
      return { json: describeSession({ ...call, token }), headers };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/studio/session",
    scope: "public",
    summary: "Logs a browser out",
    result: z.strictObject({}),
    async handle(call) {
      requireHeader(call.header);
      const studio = findStudio(call);
      await studio.sessions.end(readCookie(call.header) ?? "");
      return { json: {}, headers: { "Set-Cookie": writeCookie(studio, call.header) } };
    },
  }),
  ...["/studio", "/studio/:path{.*}"].map((path) =>
    defineRoute({
      method: "GET",
      path,
      scope: "public",
      summary: "The studio's page",
      produces: ["text/html"],
      handle: sendFile,
    }),
  ),
];

/** Sends a file of the page. Any other address is one within the page, which shows what the address names. */
function sendFile(call: Call): Reply {
  const { files } = findStudio(call);
  const { path = "" } = call.params;
  const isFile = path.startsWith("assets/") || /\.\w+$/.test(path);
  const file = files.get(path) ?? (isFile ? undefined : files.get("index.html"));
  if (file === undefined) throw new BatonError("unknown-route", `the studio has no file '${path}'`);
  const headers = {
    ...safety,
    ETag: file.etag,
    Vary: "Accept-Encoding",
    "Cache-Control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (call.header("if-none-match") === file.etag) return { text: "", type: file.type, status: 304, headers };
  if (!/\bgzip\b/.test(call.header("accept-encoding") ?? "")) return { text: file.bytes, type: file.type, headers };
  return { text: file.gzipped, type: file.type, headers: { ...headers, "Content-Encoding": "gzip" } };
}

function describeSession(call: Call<unknown, unknown>): z.output<typeof sessionSchema> {
  const { isLocal, canWrite } = findStudio(call);
  const { name, scopes } = call.token;
  return { name, scopes: [...scopes], isLocal, canWrite };
}

function findStudio({ service }: Call<unknown, unknown>): Studio {
  if (service.studio === undefined) throw new BatonError("unknown-route", "this server does not have the studio");
  return service.studio;
}
