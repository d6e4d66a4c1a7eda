import type { Problem } from "../problem.ts";

/** A problem as clients of JSON-RPC read it. */
export function toRpcError({ detail, code, status }: Problem): unknown {
  const number = code === "bad-request" ? -32600 : status >= 500 ? -32603 : -32000;
  return { jsonrpc: "2.0", id: null, error: { code: number, message: detail, data: { code } } };
}
