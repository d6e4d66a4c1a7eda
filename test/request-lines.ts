/** What a route is sent, besides a token. */
interface RequestLine {
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const a2aMessage = { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] };

/** A request that each route accepts from a token that may do everything. A route without a line here fails. */
export const requestLines: Readonly<Record<string, RequestLine>> = {
  "GET /healthz": {},
  "GET /readyz": {},
  "GET /openapi.json": {},
  "GET /metrics": {},
  "GET /v1/crews": {},
  "GET /v1/crews/:crew": { query: "?prompts=true" },
  "GET /v1/crews/:crew/graph": { query: "?format=svg" },
  "GET /v1/crews/:crew/signals": {},
  "GET /v1/crews/:crew/plan": {},
  "GET /v1/crews/:crew/stats": {},
  "POST /v1/crews/:crew/suggest": { body: { agent: "triage" } },
  "POST /v1/crews/:crew/runs": { body: { input: "x" } },
  "GET /v1/runs": {},
  "GET /v1/runs/:id": {},
  "GET /v1/runs/:id/events": {},
  "POST /v1/runs/:id/resume": { body: { input: "x" } },
  "POST /v1/runs/:id/cancel": { body: {} },
  "POST /v1/runs/:id/feedback": { body: { verdict: "good" } },
  "POST /v1/runs/:id/fork": { body: { at: 0, input: "x" } },
  "DELETE /v1/runs/:id": {},
  "GET /v1/runs/:id/replay": {},
  "GET /v1/runs/:id/tree": {},
  "GET /v1/runs/:id/transcript": {},
  "GET /v1/runs/:id/cost": {},
  "GET /v1/runs/:id/diagnosis": {},
  "GET /v1/conversations/:id": {},
  "DELETE /v1/conversations/:id": {},
  "DELETE /v1/users/:user": {},
  "GET /v1/inbox": {},
  "GET /v1/crews/:crew/files": {},
  "GET /v1/crews/:crew/files/:path{.+}": {},
  "PUT /v1/crews/:crew/files/:path{.+}": { body: { text: "x" } },
  "POST /v1/check": { body: { files: { "a.md": "Answer." }, path: "a.md" } },
  "POST /v1/test": { body: { crew: "desk" } },
  "POST /v1/runs/:id/scenario": {},
  "GET /v1/runs/:id/calls/:seq{[0-9]+}": {},
  "GET /v1/stats": {},
  "GET /openai/v1/models": {},
  "GET /openai/v1/models/:crew": {},
  "GET /openai/v1/responses/:id": {},
  "POST /openai/v1/chat/completions": { body: { model: "desk", messages: [{ role: "user", content: "x" }] } },
  "POST /openai/v1/responses": { body: { model: "desk", input: "x" } },
  "GET /.well-known/agent-card.json": {},
  "GET /a2a/:crew/.well-known/agent-card.json": {},
  "POST /a2a/:crew": { body: { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} } },
  "POST /a2a/:crew/message:send": { body: { message: a2aMessage } },
  "POST /a2a/:crew/message:stream": { body: { message: a2aMessage } },
  "GET /a2a/:crew/tasks": {},
  "GET /a2a/:crew/tasks/:task{[\\w-]+}": {},
  "POST /a2a/:crew/tasks/:task{[\\w-]+:cancel}": {},
  "GET /a2a/:crew/tasks/:task{[\\w-]+:subscribe}": {},
  "POST /a2a/:crew/tasks/:task{[\\w-]+:subscribe}": {},
  "POST /a2a/:crew/tasks/:task/pushNotificationConfigs": { body: { url: "https://x.example" } },
  "GET /a2a/:crew/tasks/:task/pushNotificationConfigs": {},
  "GET /a2a/:crew/tasks/:task/pushNotificationConfigs/:config": {},
  "DELETE /a2a/:crew/tasks/:task/pushNotificationConfigs/:config": {},
  "POST /ag-ui/:crew": { body: { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "x" }] } },
  "POST /mcp": {
    headers: {
      ...{ accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28" },
      ...{ "mcp-method": "tools/call", "mcp-name": "desk" },
    },
    body: {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: {
        name: "desk",
        arguments: { input: "x" },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
  },
};
