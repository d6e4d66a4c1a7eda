import { afterEach, describe, expect, it } from "vitest";
import { type AgentDefinition, defineCrew } from "../src/index.ts";
import { formatLogLines } from "../src/views/log-lines.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { answer, type HostileServer, openHostileServer, type Play, refuse } from "./hostile-server.ts";
import { type Dialect, dialects } from "./wire-dialects.ts";

let server: HostileServer | undefined;
afterEach(async () => server?.close());

const local = dialects.find(({ provider }) => provider === "local") as Dialect;
const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
const bill = answer({ text: '{"total": 7}' });
const no = (body: string, status = 400): Play => refuse(status, { "content-type": "application/json" }, body);
const unavailable = no('{"error":{"message":"This response_format type is unavailable now"}}');

/** The form that each request asks for, and whether its prompt has the schema. */
const formsOf = (requests: readonly Readonly<Record<string, unknown>>[]) =>
  requests.map(({ response_format, messages }) => {
    const { type } = (response_format ?? {}) as { readonly type?: string };
    return { type, isTold: JSON.stringify(messages).includes("JSON Schema") };
  });

describe("an answer in JSON of a server that is compatible with OpenAI", () => {
  it("is asked for with its schema", async () => {
    const { result, requests } = await play([bill]);
    expect(result).toMatchObject({ status: "completed", object: { total: 7 } });
    expect(requests[0]).toMatchObject({ response_format: { type: "json_schema", json_schema: { schema } } });
    expect(formsOf(requests)).toEqual([{ type: "json_schema", isTold: false }]);
  });

  it("is asked for without the schema where that is refused, which the prompt has then; the warning is given once", async () => {
    const { result, requests, lines } = await play([unavailable, answer({ text: "{}" }), bill, bill], 2);
    expect(result).toMatchObject({ status: "completed", object: { total: 7 } });
    const eased = { type: "json_object", isTold: true };
    // The second request's answer does not fit and is repaired, and the next agent asks without the schema at once.
    expect(formsOf(requests)).toEqual([{ type: "json_schema", isTold: false }, eased, eased, eased]);
    expect(lines).toEqual([
      "[MODEL-WARNING] local/m refused the schema of a JSON answer; from now on this run asks it without",
    ]);
  });

  it("is asked for in words where every form is refused", async () => {
    const { result, requests, lines } = await play([unavailable, unavailable, bill]);
    expect(result).toMatchObject({ status: "completed", object: { total: 7 } });
    expect(formsOf(requests).at(-1)).toEqual({ type: undefined, isTold: true });
    expect(lines).toHaveLength(2);
  });

  it("is asked for in words where there is no schema and the form is refused", async () => {
    const { result, requests } = await play([unavailable, bill], 1, { output: "json" });
    expect(result).toMatchObject({ status: "completed" });
    expect(formsOf(requests)).toEqual([
      { type: "json_object", isTold: false },
      { type: undefined, isTold: false },
    ]);
    expect(JSON.stringify(requests[1])).toContain("Answer in JSON");
  });

  it("is asked for without the schema by any refusal that names it", async () => {
    const named = no('{"error":{"message":"failed to parse grammar"}}', 500);
    const { result, requests } = await play([named, bill]);
    expect(result).toMatchObject({ status: "completed" });
    expect(formsOf(requests).map(({ type }) => type)).toEqual(["json_schema", "json_object"]);
  });

  it.each([401, 404])("is not asked for again where the refusal has other reasons: %s", async (status) => {
    const { result, requests, lines } = await play([no('{"error":{"message":"no such thing"}}', status)]);
    expect(result).toMatchObject({ status: "failed" });
    expect(requests).toHaveLength(1);
    expect(lines).toEqual([]);
  });
});

async function play(plays: readonly Play[], agents = 1, keys: Pick<AgentDefinition, "output"> = { output: schema }) {
  server = await openHostileServer(local, plays);
  const { url, requests } = server;
  const ids = Array.from({ length: agents }, (_, index) => `reader-${index}`);
  const crew = defineCrew(
    { name: "books", models: ["local/m"], agents: ids.map((id) => ({ id, prompt: "Read.", ...keys })) },
    { env: { LOCAL_BASE_URL: url, LOCAL_API_KEY: "k" } },
  );
  const events: BatonEvent[] = [];
  const result = await crew.run("an invoice", { onEvent: (event) => events.push(event) });
  const lines = events.flatMap((event) => formatLogLines(event, crew.definition));
  return { result, requests, lines: lines.filter((line) => line.startsWith("[MODEL-WARNING]")) };
}
