import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context as HonoContext } from "hono";
import { describeThrown } from "../vocabulary/errors.ts";
import type { Call, Reply, Route } from "./api-route.ts";
import { authenticate, isNobody } from "./authenticate.ts";
import { corsHeaders, PREFLIGHT } from "./cors.ts";
import { describeProblem, isOfCaller, Refusal } from "./problem.ts";
import type { RateLimits } from "./rate-limits.ts";
import { parseBody, readBody, readWith } from "./read-body.ts";
import { openForm } from "./read-files.ts";
import { readBoundary } from "./read-form.ts";
import type { RequestLog } from "./request-log.ts";
import type { Service } from "./service.ts";
import {
  addressOf,
  checkContentType,
  checkSource,
  type Guard,
  locatePath,
  readSource,
  type Source,
} from "./source-guard.ts";
import { findStudioCaller } from "./studio/studio-cookie.ts";
import type { Token } from "./token.ts";
import type { TokenBook } from "./token-book.ts";

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly service: Service;
  readonly guard: Guard;
  readonly tokens: TokenBook;
  readonly limits: RateLimits;
  readonly log: RequestLog;
  /** How many bytes a body may have. */
  readonly maxBody: number;
  /** Whether `/metrics` needs no token. */
  readonly isMetricsPublic: boolean;
}

type Context = HonoContext<{ Bindings: HttpBindings }>;

/** The HTTP face of a server: each request is checked against its route's line before the route sees it. */
export function createApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  for (const route of options.routes) app.on(route.method, route.path, (context) => answer(context, options, route));
  for (const path of new Set(options.routes.map(({ path }) => path)))
    app.options(path, (context) => preflight(context, options));
  app.notFound((context) => refuseUnknown(context, options));
  return app;
}

async function answer(context: Context, options: AppOptions, route: Route): Promise<Response> {
  const entry = options.log.begin(context.req.method, context.req.path);
  const cors = corsHeaders(options.guard, context.req.header("origin"));
  try {
    const { incoming, outgoing } = context.env;
    const source = checkedSource(context, options.guard);
    const token = authenticate(
      context.req.header("authorization"),
      options,
      route,
      await findSession(context, options),
    );
    entry.token = isNobody(token) ? undefined : token.name;
    const call: Call = {
      service: options.service,
      token,
      params: context.req.param(),
      query: readWith(route.query, context.req.query(), "query"),
      ...(await readInput(context, route, options.maxBody)),
      header: (name) => context.req.header(name),
      signal: signalOf(outgoing),
      outgoing,
      address: addressOf(options.guard, source),
      locate: (path) => locatePath(options.guard, source, path),
      about: (runId) => {
        entry.run = runId;
      },
    };
    if (cors !== undefined) for (const [name, value] of Object.entries(cors)) outgoing.setHeader(name, value);
    const reply = await route.handle(call);
    if (reply === "streamed") {
      entry.end(200);
      return RESPONSE_ALREADY_SENT;
    }
    incoming.resume();
    if ("response" in reply) {
      const { status } = reply.response;
      // A response may be a stream, which ends later.
      outgoing.once("close", () => entry.end(status));
      return withHeaders(reply.response, cors);
    }
    entry.end("json" in reply ? (reply.status ?? 200) : 200);
    return toResponse(reply, cors);
  } catch (error) {
    if (!isOfCaller(error)) options.log.note(`${route.method} ${route.path}: ${describeFailure(error)}`);
    return toProblem(error, entry.end, cors, context, route.toError);
  }
}

/** Aborted when the caller goes away before the answer is complete. */
function signalOf(outgoing: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

function checkedSource(context: Context, guard: Guard): Source {
  const source = readSource(guard, (name) => context.req.header(name));
  checkSource(guard, source);
  return source;
}

/** The token of whoever is logged in to the studio. */
function findSession(context: Context, { service: { studio } }: AppOptions): Promise<Token | undefined> | undefined {
  if (studio === undefined || context.req.header("authorization") !== undefined) return undefined;
  return findStudioCaller(studio, context.req.method, (name) => context.req.header(name));
}

/** Reads a body of JSON or, where the route takes files, the fields of a form. */
async function readInput(context: Context, route: Route, everyMax: number): Promise<Pick<Call, "body" | "files">> {
  const boundary = route.takesFiles ? readBoundary(context.req.header("content-type")) : undefined;
  // What is refused is not touched: to look at a body is to begin to read it.
  const body = boundary === undefined ? null : context.req.raw.body;
  if (boundary === undefined || body === null) return { body: await readJson(context, route, everyMax) };
  const { fields, files } = await openForm(body, boundary, parseBody);
  return { body: readWith(route.body, fields, "body"), files };
}

/** Reads the body of routes that have one. What another route is sent is not read at all. */
async function readJson(context: Context, route: Route, everyMax: number): Promise<unknown> {
  const { body: schema, method } = route;
  if (schema === undefined || method === "GET") return undefined;
  const maxBody = Math.max(everyMax, route.maxBody ?? 0);
  const length = Number(context.req.header("content-length") ?? 0);
  if (length > maxBody) throw new Refusal("body-too-large", `the body has more than ${maxBody} bytes`);
  const isThere = length > 0 || context.req.header("transfer-encoding") !== undefined;
  if (isThere || context.req.header("content-type") !== undefined)
    checkContentType(context.req.header("content-type"), route.accepts);
  const text = isThere ? await readBody(context.env.incoming, maxBody) : "";
  return readWith(schema, text === "" ? undefined : parseBody(text), "body");
}

/** The response of a protocol's package, with the headers that every answer has. */
function withHeaders(response: Response, cors: Record<string, string> | undefined): Response {
  const { status, body } = response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries({ "X-Content-Type-Options": "nosniff", ...cors }))
    headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  return new Response(body, { status, headers });
}

function toResponse(
  reply: Exclude<Reply, "streamed" | { readonly response: Response }>,
  cors: Record<string, string> | undefined,
): Response {
  const base = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", ...cors, ...reply.headers };
  if ("text" in reply) {
    const { text, type, status = 200 } = reply;
    return new Response(status === 304 ? null : text, { status, headers: { ...base, "Content-Type": type } });
  }
  const headers = { ...base, "Content-Type": "application/json" };
  return new Response(JSON.stringify(reply.json), { status: reply.status ?? 200, headers });
}

function toProblem(
  error: unknown,
  end: (status: number) => void,
  cors: Record<string, string> | undefined,
  context: Context,
  toError?: Route["toError"],
): Response {
  const problem = describeProblem(error);
  end(problem.status);
  if (context.env.outgoing.headersSent) {
    // A stream has begun: all that can be said is that it ends.
    context.env.outgoing.end();
    return RESPONSE_ALREADY_SENT;
  }
  const more = error instanceof Refusal ? error.headers : {};
  const type = toError === undefined ? "application/problem+json" : "application/json";
  const headers = { ...cors, ...more, "Content-Type": type, "Cache-Control": "no-store" };
  return new Response(JSON.stringify(toError?.(problem) ?? problem), { status: problem.status, headers });
}

function refuseUnknown(context: Context, { guard, log, routes }: AppOptions): Response {
  const { path: pathname } = context.req;
  const entry = log.begin(context.req.method, pathname);
  const cors = corsHeaders(guard, context.req.header("origin"));
  // Clients of a protocol understand errors in its own form only.
  const [, family] = pathname.split("/");
  const toError = routes.find(({ path }) => path.split("/")[1] === family)?.toError;
  try {
    checkedSource(context, guard);
  } catch (error) {
    return toProblem(error, entry.end, cors, context, toError);
  }
  return toProblem(explainUnknown(pathname, routes), entry.end, cors, context, toError);
}

function explainUnknown(pathname: string, routes: readonly Route[]): Refusal {
  const methods = new Set(routes.filter(({ path }) => matches(path, pathname)).map(({ method }) => method));
  if (methods.size === 0)
    return new Refusal("unknown-route", `there is no ${pathname}; GET /openapi.json lists what there is`);
  const message = `${pathname} takes ${[...methods].join(" and ")}`;
  return new Refusal("wrong-method", message, { headers: { Allow: [...methods].join(", ") } });
}

/** Whether a path fits that of a route. What a part of it must look like does not matter here. */
function matches(path: string, pathname: string): boolean {
  const [wanted, given] = [path.split("/"), pathname.split("/")];
  const isLong = path.endsWith("{.+}");
  const isLength = isLong ? given.length >= wanted.length : given.length === wanted.length;
  return isLength && wanted.every((part, at) => part.startsWith(":") || part === given[at]);
}

function preflight(context: Context, { guard }: AppOptions): Response {
  try {
    checkedSource(context, guard);
  } catch (error) {
    return toProblem(error, () => {}, undefined, context);
  }
  const cors = corsHeaders(guard, context.req.header("origin"));
  if (cors === undefined) return new Response(null, { status: 204 });
  return new Response(null, { status: 204, headers: { ...cors, ...PREFLIGHT } });
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : describeThrown(error);
}
