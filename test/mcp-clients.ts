import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach } from "vitest";
import { packageCommand } from "./package-command.ts";

/** What a client's person fills in, and what it was shown. */
type Answering = (message: string) => {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string>;
};

/** The forms of the protocol that clients speak: the current one, the one before, and the SDK of the years before. */
export const forms = ["2026-07-28", "2025-11-25", "sdk 1.x"] as const;
export type Form = (typeof forms)[number];

interface Wanted {
  readonly form?: Form;
  readonly answering?: Answering;
}

/** What the tests look at in a result. */
export interface Told {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: {
    readonly runId: string;
    readonly status: string;
    readonly output?: string;
    readonly paused?: { readonly reason: string; readonly prompt: string };
    readonly [key: string]: unknown;
  };
}

/** A client of any form. */
export interface AnyClient {
  call(
    tool: string,
    given?: Record<string, unknown>,
    more?: {
      readonly signal?: AbortSignal;
      readonly onProgress?: (message: string) => void;
      readonly timeout?: number;
    },
  ): Promise<Told>;
  tools(): Promise<
    { readonly name: string; readonly description?: string | undefined; readonly title?: string | undefined }[]
  >;
  close(): Promise<void>;
  readonly version: string | undefined;
}

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close().catch(() => {});
});

/** Connects to a server over HTTP. */
export function connectHttp(
  { url }: { readonly url: string },
  { token = "bt_operator", ...wanted }: Wanted & { readonly token?: string } = {},
): Promise<AnyClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const at = new URL("/mcp", url);
  return wanted.form === "sdk 1.x"
    ? connectOld(new OldHttpTransport(at, { requestInit }), wanted)
    : connect(new StreamableHTTPClientTransport(at, { requestInit }), wanted);
}

/** Starts `baton mcp` and connects to it. */
export function connectStdio(
  args: readonly string[],
  { cwd, ...wanted }: Wanted & { readonly cwd: string },
): Promise<AnyClient & { readonly pid: number | null }> {
  const env = { ...process.env, NO_COLOR: "1", BATON_HOME: process.env["BATON_TESTS_HOME"] } as Record<string, string>;
  const given = {
    command: process.execPath,
    args: [packageCommand(), "mcp", ...args],
    cwd,
    env,
    stderr: "ignore" as const,
  };
  const transport = wanted.form === "sdk 1.x" ? new OldStdioTransport(given) : new StdioClientTransport(given);
  const connected = transport instanceof OldStdioTransport ? connectOld(transport, wanted) : connect(transport, wanted);
  return connected.then((client) => ({ ...client, pid: transport.pid }));
}

async function connect(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  { form = "2026-07-28", answering }: Wanted,
): Promise<AnyClient> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: answering === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: form === "2026-07-28" ? { pin: form } : "legacy" },
    },
  );
  if (answering !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => answering(params.message));
  await client.connect(transport);
  opened.push(() => client.close());
  return {
    version: client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}, { onProgress, ...more } = {}) =>
      (await client.callTool({ name, arguments: given }, { ...more, ...watching(onProgress) })) as unknown as Told,
  };
}

async function connectOld(transport: OldStdioTransport | OldHttpTransport, { answering }: Wanted): Promise<AnyClient> {
  const client = new OldClient(
    { name: "test", version: "1" },
    { capabilities: answering === undefined ? {} : { elicitation: {} } },
  );
  if (answering !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answering(params.message));
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  opened.push(() => client.close());
  return {
    version: undefined,
    close: () => client.close(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}, { onProgress, ...more } = {}) =>
      (await client.callTool({ name, arguments: given }, undefined, {
        ...more,
        ...watching(onProgress),
      })) as unknown as Told,
  };
}

function watching(onProgress: ((message: string) => void) | undefined) {
  if (onProgress === undefined) return {};
  return { onprogress: ({ message }: { message?: string | undefined }) => onProgress(message ?? "") };
}

/** The text of a result. */
export function textOf({ content }: Told): string {
  return content.map(({ text }) => text).join("\n");
}
