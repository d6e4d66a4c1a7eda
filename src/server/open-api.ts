import { z } from "zod";
import { version } from "../vocabulary/version.ts";
import type { Route } from "./api-route.ts";
import { problemSchema } from "./schemas.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the routes, made of the schemas that check requests. */
export function describeApi(routes: readonly Route[], publicUrl: string | undefined): unknown {
  const paths: Record<string, Json> = {};
  const parts = new Map<string, unknown>();
  toSchema(z.strictObject({ problem: problemSchema }), "output", parts);
  for (const route of routes) {
    const path = writePath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, parts) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Baton",
      version,
      description: "Crews of agents over HTTP: runs, their events, conversations, and what waits for people.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl ?? "/" }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(parts),
    },
  };
}

function describeRoute(route: Route, parts: Map<string, unknown>): Json {
  const {
    path,
    scope,
    summary,
    query,
    body,
    headers = {},
    produces = [],
    result,
    status = 200,
    problems = [],
    takesFiles = false,
  } = route;
  const names = [...writePath(path).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const content = {
    ...(result !== undefined && { "application/json": { schema: toSchema(result, "output", parts) } }),
    ...Object.fromEntries(produces.map((type) => [type, { schema: { type: "string" } }])),
  };
  const codes = problems.length === 0 ? "" : ` Errors: ${problems.map((code) => `\`${code}\``).join(", ")}.`;
  return {
    operationId: nameOperation(route),
    summary,
    description: scope === "public" ? `Needs no token.${codes}` : `Needs the scope \`${scope}\`.${codes}`,
    ...(scope === "public" && { security: [] }),
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...listQuery(query, parts),
      ...Object.entries(headers).map(([name, description]) => {
        return { name, in: "header", description, schema: { type: "string" } };
      }),
    ],
    ...(body !== undefined && {
      requestBody: {
        required: !body.isOptional(),
        content: {
          "application/json": { schema: toSchema(body, "input", parts) },
          ...(takesFiles && { "multipart/form-data": { schema: describeForm(toSchema(body, "input", parts)) } }),
        },
      },
    }),
    responses: {
      ...(status !== 200 && { [status]: { description: "Accepted", content } }),
      200: { description: "Done", content },
      default: {
        description: "What was wrong",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

/** The same as fields of a form, with files behind them. */
function describeForm(schema: Json): Json {
  const file = { type: "array", items: { type: "string", format: "binary" } };
  return { allOf: [schema, { type: "object", properties: { file } }] };
}

/** `/v1/runs/:id` as `/v1/runs/{id}`, and `:task{[a-z]+:cancel}` as `{task}:cancel`. */
function writePath(path: string): string {
  return path.replace(/:(\w+)(?:\{([^}]*)\})?/g, (_, name: string, pattern = "") => {
    const [action = ""] = /:[a-z]+$/.exec(pattern) ?? [];
    return `{${name}}${action}`;
  });
}

/** `getRunsById`: stable, and unique by method and path. */
function nameOperation({ method, path }: Route): string {
  const parts = writePath(path)
    .split(/[/:]/)
    .filter((part) => part !== "" && part !== "v1");
  const words = parts.flatMap((part) => (part.startsWith("{") ? ["by", part.slice(1, -1)] : part.split(/\W/)));
  return method.toLowerCase() + words.map(capital).join("");
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function listQuery(query: z.ZodType | undefined, parts: Map<string, unknown>): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = toSchema(query, "input", parts) as {
    readonly properties?: Record<string, unknown>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

/** Schemas with an id are parts of the document that others refer to. */
function toSchema(schema: z.ZodType, io: "input" | "output", parts: Map<string, unknown>): Json {
  const { $schema: _, $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  for (const [id, part] of Object.entries($defs)) parts.set(id, moveReferences(part));
  return moveReferences(json);
}

function moveReferences(json: object): Json {
  return JSON.parse(JSON.stringify(json).replaceAll("#/$defs/", "#/components/schemas/"));
}
