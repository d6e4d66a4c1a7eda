import { type ConnectOptions, connectMcp, type McpConnection, type McpDefinition } from "../tools/mcp-connection.ts";
import { createMcpTool } from "../tools/mcp-tool.ts";
import type { McpResult } from "../tools/read-mcp-result.ts";
import type { Tool } from "../tools/tool.ts";
import type { McpServer } from "../vocabulary/crew.ts";
import { hashDefinition } from "./server-approvals.ts";

/** A server in use. If it ends in the middle of a run, it is started again. */
export class LiveServer {
  readonly name: string;
  readonly definition: McpServer;
  readonly #options: ConnectOptions;
  readonly #definitions: readonly McpDefinition[];
  readonly #used = new Map<string, string>();
  #connection: Promise<McpConnection>;
  readonly #closing = new AbortController();

  static async start(name: string, server: McpServer, options: ConnectOptions): Promise<LiveServer> {
    return new LiveServer(name, server, options, await connectMcp(name, server, options));
  }

  private constructor(name: string, server: McpServer, options: ConnectOptions, connection: McpConnection) {
    this.name = name;
    this.definition = server;
    this.#options = { ...options, signal: this.#closing.signal };
    this.#definitions = connection.definitions;
    this.#connection = Promise.resolve(connection);
  }

  toolNames(): string[] {
    return this.#definitions.map(({ name }) => `${this.name}__${name}`);
  }

  usedHashes(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#used);
  }

  /** The tools with a name, ready to be called. */
  find(name: string): Tool[] {
    const fitting = this.#definitions.filter((each) => `${this.name}__${each.name}` === name);
    return fitting.map((definition) => {
      const pin = hashDefinition(selectPinned(definition));
      this.#used.set(definition.name, pin);
      return createMcpTool(name, definition, pin, (args, { signal }) => this.#call(definition, args, signal));
    });
  }

  async close(): Promise<void> {
    // One that is being started again is not waited for.
    this.#closing.abort();
    await (await this.#connection.catch(() => undefined))?.close();
  }

  async #call({ name }: McpDefinition, args: unknown, signal: AbortSignal): Promise<McpResult> {
    const connection = await this.#open(name);
    signal.throwIfAborted();
    return connection.call(name, args, signal);
  }

  async #open(tool: string): Promise<McpConnection> {
    const last = this.#connection;
    let connection = await last.catch(() => undefined);
    if (!connection?.isOpen()) {
      if (this.#closing.signal.aborted) throw new Error(`MCP server '${this.name}' has been ended`);
      // Another call may have started it in the meantime.
      if (this.#connection === last) this.#connection = connectMcp(this.name, this.definition, this.#options);
      connection = await this.#connection;
    }
    // Checked on every call, because a restarted server may offer another tool under the same name.
    const now = connection.definitions.find(({ name }) => name === tool);
    if (now === undefined || hashDefinition(selectPinned(now)) !== this.#used.get(tool))
      throw new Error(`'${tool}' of MCP server '${this.name}' changed when the server was started again`);
    return connection;
  }
}

function selectPinned({ name, description, inputSchema, annotations }: McpDefinition): McpDefinition {
  return { name, inputSchema, ...(description !== undefined && { description }), ...(annotations && { annotations }) };
}
