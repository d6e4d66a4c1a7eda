import { createHash } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openMemoryStore, type Store } from "../src/index.ts";
import type { Script } from "../src/models/script-model.ts";
import { script } from "../src/prepare/script.ts";
import { type RunningServer, type ServerOptions, startServer } from "../src/server/start-server.ts";
import type { RunId } from "../src/vocabulary/ids.ts";
import { writeCrew } from "./write-crew.ts";

const SECRET = "bt_operator";

/** A crew in which triage hands over to billing, which may ask and be done. */
export const deskFiles = {
  "baton.yaml": "",
  "crew.yaml": `version: "2.0"
name: desk
description: Answers customers
agents: [triage, billing]
routing:
  signals:
    triage: [{ signal: "[BILLING]", target: billing }]
    billing: [{ signal: "[ASK]", type: pause }, { signal: "[DONE]", target: "" }]
`,
  "agents/triage.md": "---\nid: triage\ndescription: Reads\nmodels: [openai/x]\n---\nRead for {{city}}. [BILLING]",
  "agents/billing.md": "---\nid: billing\ndescription: Bills\nmodels: [openai/x]\n---\nBill. [ASK] [DONE]",
};

/** What the desk says where nothing else is said. */
export const deskReplies = { triage: ["Money. [BILLING]"], billing: ["Five. [DONE]"] };

export const askingReplies = { triage: ["Money. [BILLING]"], billing: ["Which? [ASK]", "That one. [DONE]"] };

interface Opened {
  readonly server: RunningServer;
  readonly store: Store;
  readonly lines: readonly string[];
  readonly folder: string;
  /** Requests with the operator's token, unless another one is given. */
  ask(path: string, given?: Asking): Promise<Response>;
}

interface Asking {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Starts a server on a crew of its own, which stops after the test. */
export async function openServer(given: OpeningOptions = {}): Promise<Opened> {
  const started = await startTestServer(given);
  onTestFinished(() => started.server.stop(0));
  return started;
}

type OpeningOptions = Partial<Omit<ServerOptions, "crews">> & {
  readonly replies?: Readonly<Record<string, readonly unknown[]>>;
  readonly script?: Script;
  readonly files?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly tokens?: string;
};

/** The same, for whoever stops it. */
export async function startTestServer(given: OpeningOptions): Promise<Opened> {
  const { replies = deskReplies, files = deskFiles, tokens, script: played, folder: at, ...options } = given;
  const folder = at ?? writeCrew({ ...files, ...(tokens !== undefined && { "tokens.yaml": tokens }) });
  const store = options.store ?? openMemoryStore();
  const lines: string[] = [];
  const setup = { models: { script: played ?? script(replies as Parameters<typeof script>[0]), variables: {} } };
  const server = await startServer({
    paths: [folder],
    crews: { workingDirectory: folder, root: undefined, setup },
    store,
    host: "127.0.0.1",
    port: 0,
    secret: SECRET,
    tokensFile: tokens === undefined ? undefined : join(folder, "tokens.yaml"),
    origins: [],
    allowedHosts: [],
    publicUrl: undefined,
    trustsProxy: false,
    a2aCrew: undefined,
    pushAllow: [],
    maxRuns: 50,
    maxBody: 1_048_576,
    recovers: true,
    isMetricsPublic: false,
    isLogJson: false,
    watch: false,
    variables: {},
    write: (line) => lines.push(line),
    ...options,
  });
  const ask = (path: string, { method, body, token = SECRET, headers = {}, signal }: Asking = {}) =>
    fetch(new URL(path, server.url), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  return { server, store, lines, folder, ask };
}

/** The line of a tokens file. */
export function tokenLine(secret: string, keys: string): string {
  return `- { name: ${secret}, sha256: "${createHash("sha256").update(secret).digest("hex")}", ${keys} }\n`;
}

/** A frame of server-sent events. */
export interface Frame {
  readonly id: number | undefined;
  readonly event: string | undefined;
  readonly data: { readonly type?: string; readonly seq?: number; readonly [key: string]: unknown };
}

/** Reads a stream to its end, or until `isEnough`. */
export async function readFrames(
  response: Response,
  isEnough: (frames: readonly Frame[]) => boolean = () => false,
): Promise<Frame[]> {
  const frames: Frame[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    frames.push(...whole.flatMap((frame) => parseFrame(frame) ?? []));
    if (isEnough(frames)) break;
  }
  return frames;
}

function parseFrame(frame: string): Frame | undefined {
  const lines = new Map(frame.split("\n").map((line): [string, string] => [line.split(": ", 1)[0] ?? "", line]));
  const readField = (name: string) => lines.get(name)?.slice(name.length + 2);
  const data = readField("data");
  if (data === undefined) return undefined;
  const id = readField("id");
  return { id: id === undefined ? undefined : Number(id), event: readField("event"), data: JSON.parse(data) };
}

/** What the tests look at in an answer. */
interface Answer {
  readonly runId: RunId;
  readonly status: string;
  readonly code: string;
  readonly detail: string;
  readonly next: string;
  readonly runs: readonly unknown[];
}

export function json(response: Response): Promise<Answer> {
  return response.json() as Promise<Answer>;
}
