import { z } from "zod";
import { defineRoute, PROTOCOL_MAX_BODY, type Route } from "../api-route.ts";
import type { Problem } from "../problem.ts";
import { anyObject } from "../schemas.ts";

const message = z.looseObject({ jsonrpc: z.literal("2.0") });

/** What clients of the Model Context Protocol use: each crew is a tool. */
export const mcpRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/mcp",
    scope: "run",
    summary: "The crews that the token may use, as tools of the Model Context Protocol (streamable HTTP)",
    body: message.or(z.array(message).min(1).max(100)),
    result: anyObject,
    produces: ["text/event-stream"],
    maxBody: PROTOCOL_MAX_BODY,
    toError: toRpcError,
    async handle(call) {
      return { response: await (await call.service.mcp()).answer(call) };
    },
  }),
];

/** A problem as clients of JSON-RPC read it. */
function toRpcError({ detail, code, status }: Problem): unknown {
  const number = code === "bad-request" ? -32600 : status >= 500 ? -32603 : -32000;
  return { jsonrpc: "2.0", id: null, error: { code: number, message: detail, data: { code } } };
}
