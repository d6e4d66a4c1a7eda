import { type CallToolResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { WireNames } from "../../models/wire-names.ts";
import { errorCodes } from "../../vocabulary/error-codes.ts";
import { BatonError, describeThrown } from "../../vocabulary/errors.ts";
import { version } from "../../vocabulary/version.ts";
import { isOfCaller } from "../problem.ts";
import { mayUseCrew } from "../token.ts";
import type { AddTool } from "./add-tool.ts";
import { callCrew, crewInput, describeCrewTool } from "./crew-tool.ts";
import type { McpCaller, McpHost } from "./mcp-host.ts";
import type { AskedPause } from "./request-states.ts";
import { cancelRun, cancelRunInput, getRun, getRunInput, resumeRun, resumeRunInput } from "./run-tools.ts";
import { readExchange } from "./tool-exchange.ts";
import { runSchema } from "./tool-result.ts";

export interface McpServerChoice {
  readonly host: McpHost;
  readonly caller: McpCaller;
  readonly era: "legacy" | "modern";
  /** More than crews and their runs. */
  readonly extend?: (server: McpServer, add: AddTool) => void;
}

/** Makes the server for one connection or one request: the tools that its caller may use. */
export function createMcpServer({ host, caller, era, extend }: McpServerChoice): McpServer {
  const { states } = host;
  const server = new McpServer(
    { name: "baton", title: "Baton", version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions:
        'Each crew is a tool that takes a task. A run that takes long answers with its runId: get_run with "wait" gives its result. A run that is paused says what it asks.',
      requestState: { verify: (state) => states.verify(state, caller.token.name) },
    },
  );
  const add: AddTool = (name, { title, description, input, output, annotations }, run) => {
    const schemas = { inputSchema: input, ...(output !== undefined && { outputSchema: output }) };
    // The SDK hands over what the schema has read.
    const answer = async (given: unknown, context: ServerContext) => {
      const asked = context.mcpReq.requestState<AskedPause>();
      try {
        return await run(given as never, readExchange(context, server, era, asked));
      } catch (error) {
        return tellError(error, `${name}: `, host);
      }
    };
    const handle = (given: unknown, context: ServerContext) => {
      const answering = answer(given, context);
      host.calls.add(answering);
      return answering.finally(() => host.calls.delete(answering));
    };
    server.registerTool(name, { title, description, annotations, ...schemas } as never, handle as never);
  };
  addCrewTools(add, host, caller);
  addRunTools(add, host, caller);
  extend?.(server, add);
  return server;
}

function addCrewTools(add: AddTool, host: McpHost, caller: McpCaller): void {
  for (const [tool, name] of nameTools(host.crews.list().map((served) => served.name))) {
    const served = host.crews.get(name);
    if (served === undefined || !mayUseCrew(caller.token, name)) continue;
    const annotations = { readOnlyHint: false, openWorldHint: true };
    add(
      tool,
      { title: name, description: describeCrewTool(served), input: crewInput, output: runSchema, annotations },
      (given, exchange) => callCrew(host, caller, served, given, exchange),
    );
  }
}

function addRunTools(add: AddTool, host: McpHost, caller: McpCaller): void {
  add(
    "get_run",
    {
      title: "Get a run",
      description: "Gives the status of a run, and its result once it has ended. With 'wait', waits for that.",
      input: getRunInput,
      annotations: { readOnlyHint: true },
    },
    (given, exchange) => getRun(host, caller, given, exchange),
  );
  add(
    "cancel_run",
    {
      title: "Cancel a run",
      description: "Ends a run. What it has done stays done.",
      input: cancelRunInput,
      output: runSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    (given) => cancelRun(host, caller, given),
  );
  add(
    "resume_run",
    {
      title: "Answer or continue a run",
      description: "Answers what a paused run asks, or continues a run that was interrupted, and gives its result.",
      input: resumeRunInput,
      output: runSchema,
      annotations: { readOnlyHint: false, openWorldHint: true },
    },
    (given, exchange) => resumeRun(host, caller, given, exchange),
  );
}

/** Over the network, our own failures show only their code, because their messages may name paths of this machine. */
function tellError(error: unknown, place: string, { note, isLocal }: McpHost): CallToolResult {
  const code = error instanceof BatonError ? error.code : "internal-error";
  const isShown = isOfCaller(error) || (isLocal && error instanceof BatonError);
  if (!isShown) note(`${place}${describeThrown(error)}`);
  const text = isShown ? error.message : errorCodes[code];
  return { content: [{ type: "text", text: `${code}: ${text}` }], isError: true, _meta: { "baton/code": code } };
}

/** Tools that are there besides the crews. */
const taken: ReadonlySet<string> = new Set([
  ...["get_run", "cancel_run", "resume_run", "check_crew", "graph_crew", "test_crew", "plan_crew"],
  ...["list_runs", "show_run", "diagnose_run"],
]);

/** The tool of each crew. Names that clients or models would refuse, or that other tools have, are replaced. */
function nameTools(crews: readonly string[]): ReadonlyMap<string, string> {
  const wanted = crews.map((crew) => (taken.has(crew) ? `crew ${crew}` : crew));
  const names = new WireNames(wanted.map((name) => ({ name })));
  return new Map(crews.map((crew, at) => [names.sent(wanted[at] ?? crew), crew]));
}
