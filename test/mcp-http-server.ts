import { createServer, type IncomingMessage, type Server } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** A server over HTTP on loopback, with two tools. */
export async function openMcpHttpServer(onRequest: (request: IncomingMessage) => void): Promise<Server> {
  const handler = createMcpHandler(() => {
    const served = new McpServer({ name: "web", version: "1" });
    const inputSchema = z.object({ a: z.number(), b: z.number() });
    served.registerTool("add", { description: "adds", inputSchema }, ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }));
    served.registerTool("large", { description: "gives 50 MB", inputSchema: z.object({}) }, () => ({
      content: [{ type: "text", text: "x".repeat(50 * 2 ** 20) }],
    }));
    return served;
  });
  const server = createServer(async (request, response) => {
    onRequest(request);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method = "GET", url, headers: given } = request;
    const headers = new Headers(Object.entries(given).map(([key, value]) => [key, String(value)]));
    const asked = new Request(`http://localhost${url}`, { method, headers, ...(method === "POST" && { body }) });
    const answered = await handler.fetch(asked);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}
