import {
  A2A_PROTOCOL_VERSION,
  A2A_VERSION_HEADER,
  formatSSEErrorEvent,
  formatSSEEvent,
  StreamResponse,
} from "@a2a-js/sdk";
import { A2AError, restStatusFor, toJsonRpcError, toRestErrorBody, VersionNotSupportedError } from "@a2a-js/sdk/errors";
import { type A2ARequestHandler, JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { Call, Reply } from "../api-route.ts";
import { findCrew } from "../visible.ts";
import { CrewRequestHandler } from "./crew-request-handler.ts";
import { tellInA2a } from "./told-in-a2a.ts";

type A2aCall = Call<unknown, unknown>;

/** Answers a request of the JSON-RPC binding. */
export async function answerJsonRpc(call: A2aCall, body: Readonly<Record<string, unknown>>): Promise<Reply> {
  const { handler, thrown } = tellInA2a(new CrewRequestHandler(call, findCrew(call)));
  const { id = null } = body;
  const refuse = (error: unknown) => ({ jsonrpc: "2.0", id, error: toJsonRpcError(error) });
  const version = findVersionProblem(call);
  if (version !== undefined) return { json: refuse(version) };
  const answer = await new JsonRpcTransportHandler(handler).handle(body, createContext(call));
  if (thrown() !== undefined) throw thrown();
  if (!(Symbol.asyncIterator in answer)) return { json: answer };
  return stream(call, answer, { thrown, refuse: (error) => ({ json: refuse(error) }), tell: refuse });
}

/** Answers a request of the HTTP+JSON binding with what `ask` gives. */
export async function answerRest(
  call: A2aCall,
  ask: (handler: A2ARequestHandler, context: ServerCallContext) => Promise<unknown>,
  status: 200 | 201 | 204 = 200,
): Promise<Reply> {
  const { handler, thrown } = tellInA2a(new CrewRequestHandler(call, findCrew(call)));
  try {
    const version = findVersionProblem(call);
    if (version !== undefined) throw version;
    return { json: await ask(handler, createContext(call)), status };
  } catch (error) {
    if (thrown() !== undefined || !(error instanceof A2AError)) throw thrown() ?? error;
    return refuseRest(error);
  }
}

/** The same for what is streamed. */
export async function streamRest(
  call: A2aCall,
  ask: (handler: A2ARequestHandler, context: ServerCallContext) => AsyncGenerator<StreamResponse>,
): Promise<Reply> {
  const { handler, thrown } = tellInA2a(new CrewRequestHandler(call, findCrew(call)));
  const version = findVersionProblem(call);
  if (version !== undefined) return refuseRest(version);
  const tell = (error: unknown) => toRestErrorBody(error, restStatusFor(error));
  return stream(call, toJson(ask(handler, createContext(call))), { thrown, refuse: refuseRest, tell });
}

async function* toJson(updates: AsyncGenerator<StreamResponse>): AsyncGenerator<unknown> {
  for await (const update of updates) yield StreamResponse.toJSON(update);
}

interface Refusing {
  readonly thrown: () => unknown;
  /** What is answered in place of a stream. */
  readonly refuse: (error: unknown) => Reply;
  /** What a stream that has begun ends with. */
  readonly tell: (error: unknown) => unknown;
}

/** Nothing is streamed before the request is accepted, so that a refusal has a status of its own. */
async function stream(
  { service, outgoing }: A2aCall,
  updates: AsyncGenerator<unknown>,
  { thrown, refuse, tell }: Refusing,
): Promise<Reply> {
  let next: IteratorResult<unknown>;
  try {
    next = await updates.next();
  } catch (error) {
    if (thrown() !== undefined || !(error instanceof A2AError)) throw thrown() ?? error;
    return refuse(error);
  }
  const out = service.streams.open(outgoing);
  try {
    for (; next.done !== true; next = await updates.next()) if (!out.write(formatSSEEvent(next.value))) break;
    out.end();
  } catch (error) {
    // What went wrong inside is in the log and not for callers.
    out.end(formatSSEErrorEvent(tell(error instanceof A2AError ? error : new A2AError("the server failed"))));
    if (!(error instanceof A2AError)) throw error;
  } finally {
    await updates.return(undefined);
  }
  return "streamed";
}

function refuseRest(error: unknown): Reply {
  const status = restStatusFor(error);
  return { json: toRestErrorBody(error, status), status };
}

/** Who names no version gets the one that we speak. */
function findVersionProblem({ header }: A2aCall): A2AError | undefined {
  const version = header(A2A_VERSION_HEADER) ?? A2A_PROTOCOL_VERSION;
  if (version === A2A_PROTOCOL_VERSION) return undefined;
  return new VersionNotSupportedError(`A2A ${version.slice(0, 20)} is not spoken here, but ${A2A_PROTOCOL_VERSION}`);
}

function createContext({ token, header }: A2aCall): ServerCallContext {
  const requestedVersion = header(A2A_VERSION_HEADER) ?? A2A_PROTOCOL_VERSION;
  return new ServerCallContext({ user: { isAuthenticated: true, userName: token.name }, requestedVersion });
}
