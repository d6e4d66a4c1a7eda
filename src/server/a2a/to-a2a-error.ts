import {
  A2AError,
  RequestMalformedError,
  TaskNotFoundError,
  toJsonRpcError,
  toRestErrorBody,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import { BatonError } from "../../vocabulary/errors.ts";
import { describeProblem, isOfCaller, type Problem } from "../problem.ts";

/** A refusal in A2A's own errors where it has one. What concerns the connection (no token, too many requests) stays as it is. */
export function toA2aError(error: unknown): unknown {
  if (error instanceof A2AError || !isOfCaller(error)) return error;
  const { code, message } = error;
  if (code === "unknown-run") return new TaskNotFoundError(message);
  const { status } = describeProblem(error);
  if (status === 400 || status === 413) return new RequestMalformedError(message);
  if (code === "conversation-paused")
    return new UnsupportedOperationError(`${message}; a message with its 'taskId' answers it`);
  return status === 409 ? new UnsupportedOperationError(message) : error;
}

/** A problem as the JSON-RPC binding tells it. */
export function toJsonRpcProblem({ detail, status }: Problem): unknown {
  const error = status === 400 ? new RequestMalformedError(detail) : new BatonError("bad-request", detail);
  return { jsonrpc: "2.0", id: null, error: toJsonRpcError(error) };
}

/** A problem as the HTTP+JSON binding tells it. */
export function toRestProblem({ detail, status }: Problem): unknown {
  return toRestErrorBody(new Error(detail), status);
}
