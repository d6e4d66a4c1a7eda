import type { Problem } from "../problem.ts";

/** A problem as OpenAI's API tells it. */
export function toOpenAiError({ status, detail, code, problems }: Problem): unknown {
  const [first] = Array.isArray(problems) ? (problems as readonly { readonly path?: string }[]) : [];
  return {
    error: {
      message: detail,
      type: code === "run-failed" ? "server_error" : nameType(status),
      param: first?.path ?? null,
      code: nameCode(code),
    },
  };
}

function nameType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** Codes that clients of OpenAI know; others are Baton's own. */
function nameCode(code: string): string {
  if (code === "unknown-crew") return "model_not_found";
  if (code === "unauthorized") return "invalid_api_key";
  if (code === "rate-limited") return "rate_limit_exceeded";
  return code;
}
