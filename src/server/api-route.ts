import type { ServerResponse } from "node:http";
import type { z } from "zod";
import type { Problem } from "./problem.ts";
import type { FormFiles } from "./read-files.ts";
import type { Service } from "./service.ts";
import type { Token } from "./token.ts";
import type { Scope } from "./token-scope.ts";

/** A request whose token, path, query and body are checked. */
export interface Call<Query = unknown, Body = unknown> {
  readonly service: Service;
  readonly token: Token;
  /** The parts of the path that a route names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The files of a form. */
  readonly files?: FormFiles | undefined;
  header(name: string): string | undefined;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** For streams, which are written as they come. */
  readonly outgoing: ServerResponse;
  /** The address of the server, as the caller reaches it. */
  readonly address: string;
  /** The address of a path of this server, for headers that name what was made. */
  locate(path: string): string;
  /** Notes the run that the request is about, for the log. */
  about(runId: string): void;
}

/** What a route answers: JSON, text (also as bytes), the response of a protocol's own package, or nothing more because it streams. */
export type Reply =
  | {
      readonly json: unknown;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly text: string | Uint8Array<ArrayBuffer>;
      readonly type: string;
      readonly status?: 304;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly response: Response }
  | "streamed";

/** How many bytes the routes of protocols take: histories of conversations, and files within them. */
export const PROTOCOL_MAX_BODY = 16 * 1024 * 1024;

/** One route of the API, as data: the server, the OpenAPI document, the docs and the security tests read it. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` stands for a part of the path, and `:name{pattern}` for what fits a pattern. */
  readonly path: string;
  /** The scope that a token needs, or `public` for what needs no token. */
  readonly scope: Scope | "public";
  readonly summary: string;
  readonly query?: z.ZodType;
  /** Headers that it reads, with what each does. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  /** Whether its body may be a form with files, which have limits of their own. */
  readonly takesFiles?: boolean;
  /** How many bytes its body may have, where that is more than what the server allows for every route. */
  readonly maxBody?: number;
  /** Types of bodies besides JSON's own, which hold JSON too. */
  readonly accepts?: readonly string[];
  /** What the JSON answer looks like. */
  readonly result?: z.ZodType;
  readonly status?: 201 | 202;
  /** Types of content besides JSON. */
  readonly produces?: readonly string[];
  /** How an error is told, where that is not as a problem document. */
  readonly toError?: (problem: Problem) => unknown;
  /** Codes of errors besides those that every route has. */
  readonly problems?: readonly string[];
  handle(call: Call): Promise<Reply> | Reply;
}

/** A route whose handler gets the query and the body as their schemas read them. */
interface TypedRoute<Query extends z.ZodType, Body extends z.ZodType> extends Omit<Route, "query" | "body" | "handle"> {
  readonly query?: Query;
  readonly body?: Body;
  handle(call: Call<z.output<Query>, z.output<Body>>): Promise<Reply> | Reply;
}

export function defineRoute<Query extends z.ZodType, Body extends z.ZodType>(route: TypedRoute<Query, Body>): Route {
  // The server calls a handler only with what the route's own schemas have read.
  return route as unknown as Route;
}
