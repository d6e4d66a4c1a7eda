import { directFetch, refuseBeyond } from "../../http/direct-fetch.ts";
import { type ApiTools, isMethod, nameOperation } from "../../vocabulary/tool-set.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";

const MAX_ANSWER_BYTES = 4 * 2 ** 20;

type Fields = Readonly<Record<string, unknown>>;
type Variables = Readonly<Record<string, string | undefined>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Fields;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Fields; readonly required: boolean } | undefined;
}

/** The operations of an API as tools, by their names in the set. References are resolved within the document only. */
export async function createApiTools(
  prefix: string,
  set: ApiTools,
  document: unknown,
  variables: Variables,
): Promise<ReadonlyMap<string, Tool>> {
  const { default: parser } = await import("@apidevtools/swagger-parser");
  // A description without references to itself is what models are shown; the parser takes its own type of document.
  const api: Fields = asFields(
    await parser.dereference(structuredClone(document) as Parameters<typeof parser.dereference>[0], {
      resolve: { external: false },
      dereference: { circular: "ignore" },
    }),
  );
  const server = set.server ?? findServer(api, set.file);
  const authorize = createAuthorization(api, set, variables);
  return new Map(
    listOperations(api)
      .filter(({ name }) => set.operations.includes(name))
      .map((operation) => [
        operation.name,
        createApiTool(`${prefix}__${operation.name}`, operation, { set, server, authorize }),
      ]),
  );
}

function findServer(api: Fields, file: string): string {
  const url = asFields(asList(api["servers"])[0])["url"];
  if (typeof url === "string" && URL.canParse(url)) return url;
  throw new Error(`${file} has no server with a whole address: give 'server' beside 'openapi'`);
}

function listOperations(api: Fields): Operation[] {
  return Object.entries(asFields(api["paths"])).flatMap(([path, item]) => {
    const shared = asList(asFields(item)["parameters"]);
    return Object.entries(asFields(item)).flatMap(([method, given]) => {
      if (!isMethod(method)) return [];
      const operation = asFields(given);
      const words = [operation["summary"], operation["description"]].filter((each) => typeof each === "string");
      return {
        name: nameOperation(operation["operationId"], method, path),
        method: method.toUpperCase(),
        path,
        description: words.join("\n\n") || `${method.toUpperCase()} ${path}`,
        parameters: [...shared, ...asList(operation["parameters"])].map(readParameter),
        body: readBody(operation["requestBody"]),
      };
    });
  });
}

function readParameter(given: unknown): Parameter {
  const { name, in: place, required, schema, description } = asFields(given);
  const about = typeof description === "string" ? { description } : {};
  return {
    name: String(name),
    in: String(place),
    required: required === true,
    schema: { ...asFields(schema), ...about },
  };
}

function readBody(given: unknown): Operation["body"] {
  const { content, required } = asFields(given);
  const json = Object.entries(asFields(content)).find(([type]) => /json/i.test(type))?.[1];
  return json === undefined ? undefined : { schema: asFields(asFields(json)["schema"]), required: required === true };
}

interface Calling {
  readonly set: ApiTools;
  readonly server: string;
  readonly authorize: (url: URL, headers: Headers) => void;
}

function createApiTool(name: string, operation: Operation, { set, server, authorize }: Calling): Tool {
  const { parameters, body, method } = operation;
  const properties = parameters.map((each) => [each.name, each.schema] as const);
  return defineTool({
    name,
    description: operation.description,
    parameters: {
      type: "object",
      properties: { ...Object.fromEntries(properties), ...(body !== undefined && { body: body.schema }) },
      required: [
        ...parameters.filter((each) => each.required || each.in === "path").map((each) => each.name),
        ...(body?.required ? ["body"] : []),
      ],
    },
    effect: method === "GET" || method === "HEAD" ? "read" : "once",
    needsApproval: set.needsApproval,
    execute: async (args: Fields, { signal, idempotencyKey }) => {
      const url = buildUrl(server, operation, args);
      const headers = new Headers({ accept: "application/json", "idempotency-key": idempotencyKey });
      for (const each of parameters)
        if (each.in === "header" && args[each.name] !== undefined) headers.set(each.name, String(args[each.name]));
      const sent = body === undefined || args["body"] === undefined ? undefined : JSON.stringify(args["body"]);
      if (sent !== undefined) headers.set("content-type", "application/json");
      authorize(url, headers);
      const init = { method, headers, signal, ...(sent !== undefined && { body: sent }) };
      const response = await directFetch(url, init, (message) => new Error(message));
      const text = await readText(response);
      if (!response.ok)
        throw new Error(`${method} ${operation.path} answered ${response.status}: ${text.slice(0, 2000)}`);
      return text;
    },
  });
}

function buildUrl(server: string, { path, parameters }: Operation, args: Fields): URL {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = String(args[name] ?? "");
    // Encoded dots still lead to another path.
    if (value === "" || /^\.{1,2}$/.test(value)) throw new Error(`'${name}' cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  const url = new URL(server.replace(/\/$/, "") + filled);
  for (const each of parameters) {
    const value = args[each.name];
    if (each.in !== "query" || value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(each.name, String(item));
  }
  return url;
}

/** Puts the token where the API wants it: a header or parameter of its own, or else `Authorization: Bearer`. */
function createAuthorization(api: Fields, { authEnv, file }: ApiTools, variables: Variables): Calling["authorize"] {
  if (authEnv === undefined) return () => {};
  const schemes = Object.values(asFields(asFields(api["components"])["securitySchemes"])).map(asFields);
  const scheme = schemes.find(({ type }) => type === "apiKey" || type === "http") ?? {};
  return (url, headers) => {
    const token = variables[authEnv];
    if (token === undefined || token === "") throw new Error(`${file} needs the variable ${authEnv}, which is not set`);
    if (scheme["type"] === "apiKey" && scheme["in"] === "query") url.searchParams.set(String(scheme["name"]), token);
    else if (scheme["type"] === "apiKey" && scheme["in"] === "header") headers.set(String(scheme["name"]), token);
    else headers.set("authorization", scheme["scheme"] === "basic" ? `Basic ${btoa(token)}` : `Bearer ${token}`);
  };
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const bounded = refuseBeyond(MAX_ANSWER_BYTES, response.body, (message) => new Error(message));
  return new Response(bounded).text();
}

function asFields(value: unknown): Fields {
  // Any object is a record of fields of which nothing is known.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
