import type { AgentCard } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { type ServerRequest, UnapprovedServer } from "../servers/hold-servers.ts";
import { hashDefinition, openServerApprovals } from "../servers/server-approvals.ts";
import type { RemoteReply } from "../tools/agent-function.ts";
import type { ToolContext } from "../tools/tool.ts";
import { BatonError, describeThrown } from "../vocabulary/errors.ts";
import type { RemoteAgent, RemoteIds } from "../vocabulary/remote.ts";
import { callRemote } from "./call-remote.ts";
import { createPeerFetch } from "./fetch-from-peer.ts";

export interface RemoteEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Allows agents that are not approved on this machine. The approval is not remembered. */
  readonly approveServer?: ((request: ServerRequest) => boolean | Promise<boolean>) | undefined;
}

/** A remote agent whose card was read and may be used. */
export interface OpenRemote {
  call(words: string, ids: RemoteIds, context: Pick<ToolContext, "attempt" | "signal">): Promise<RemoteReply>;
}

const CARD_MS = 15_000;

/** Reads the card of a remote agent and refuses one that nobody has approved, or that has changed since. Nothing is said to the agent. */
export async function openRemote(id: string, remote: RemoteAgent, environment: RemoteEnvironment): Promise<OpenRemote> {
  const url = new URL(remote.card);
  const token = readToken(id, remote, environment);
  const card = await readCard(id, url, token);
  await approveCard(id, remote, card, environment);
  const connect = (signal: AbortSignal): Promise<Client> => {
    const fetchImpl = createPeerFetch(url, token, signal);
    const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
    return new ClientFactory({ ...ClientFactoryOptions.default, transports }).createFromAgentCard(card);
  };
  return {
    async call(words, ids, { attempt, signal }) {
      try {
        // Its own signal, so that a task can still be cancelled when nobody waits for it any more.
        const client = await connect(new AbortController().signal);
        return await callRemote(client, { words, ids, attempt, signal });
      } catch (error) {
        throw new Error(`remote agent '${id}' (${url.host}) ${describeFailure(error)}`, { cause: error });
      }
    },
  };
}

function readToken(id: string, { tokenEnv }: RemoteAgent, { variables }: RemoteEnvironment): string | undefined {
  if (tokenEnv === undefined) return undefined;
  const token = variables[tokenEnv];
  if (token !== undefined && token !== "") return token;
  throw new BatonError("no-variable", `remote agent '${id}' needs the variable ${tokenEnv} with its token: set it`);
}

async function readCard(id: string, url: URL, token: string | undefined): Promise<AgentCard> {
  try {
    const fetchImpl = createPeerFetch(url, token, AbortSignal.timeout(CARD_MS));
    return await new DefaultAgentCardResolver({ fetchImpl }).resolve(url.origin, url.pathname + url.search);
  } catch (error) {
    throw new BatonError(
      "remote-unreachable",
      `the card of remote agent '${id}' at ${url.href}: ${describeThrown(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** A card is approved once for each machine. One that changes is asked about again: it may lead elsewhere, or promise something else. */
async function approveCard(
  id: string,
  { card: address }: RemoteAgent,
  card: AgentCard,
  { variables, approveServer }: RemoteEnvironment,
): Promise<void> {
  const approvals = openServerApprovals(variables);
  const definition = { type: "http", url: address, headers: {} } as const;
  const tools = { card: hashDefinition(card) };
  const approval = approvals.find(definition);
  if (approval?.tools["card"] === tools.card) return;
  const changed = approval === undefined ? [] : ["card"];
  const request: ServerRequest = { kind: "remote agent", server: id, definition, what: address, changed, tools };
  if ((await approveServer?.(request)) === true) return;
  const why = approval === undefined ? "has not been approved on this machine" : "has another card than was approved";
  throw new UnapprovedServer(
    `remote agent '${id}' (${address}) ${why}: run it at a terminal to be asked, or with --yes`,
    request,
  );
}

function describeFailure(error: unknown): string {
  const message = describeThrown(error);
  return /^(?:answered|did not|needs) /.test(message) ? message : `could not be called: ${message}`;
}
