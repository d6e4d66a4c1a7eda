import { afterEach, describe, expect, it } from "vitest";
import { defineAgent, defineCrew } from "../src/index.ts";
import { formatLogLines } from "../src/views/log-lines.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { answer, type HostileServer, openHostileServer, type Play, refuse } from "./hostile-server.ts";
import { type Dialect, dialects } from "./wire-dialects.ts";

let server: HostileServer | undefined;
afterEach(async () => server?.close());

/** A provider that only the table of addresses tells from any other compatible server. */
const ollama = { ...dialects.find(({ provider }) => provider === "local"), provider: "ollama", variable: "OLLAMA" };
const formats = [...dialects, ollama as Dialect];
const table = formats.flatMap((dialect) =>
  [true, false].map((isStreamed) => ({ dialect, isStreamed, format: dialect.provider })),
);

/** How each format says that a tool must be called. */
const required: Readonly<Record<string, unknown>> = {
  local: "required",
  ollama: "required",
  "openai.chat": "required",
  "openai.responses": "required",
  anthropic: { type: "any" },
  google: { functionCallingConfig: { mode: "ANY" } },
};

/** Servers put the same complaint into bodies of many forms. */
const bodies = [
  '{"error":{"message":"tool_choice: required is not supported"}}',
  '{"error":"Tool choice must be auto"}',
  '{"detail":[{"loc":["body","tool_choice"],"msg":"value is not a valid enumeration member"}]}',
  "toolConfig.functionCallingConfig.mode ANY is not supported",
];

const choiceIn = ({ tool_choice, toolConfig }: Readonly<Record<string, unknown>>) => tool_choice ?? toolConfig;
const hasTools = ({ tools }: Readonly<Record<string, unknown>>) => Array.isArray(tools) && tools.length > 0;
const signal = (name: string): Play => answer({ calls: [{ id: "c1", name: "signal", args: `{"signal":"${name}"}` }] });

describe("an agent that nothing but a signal can follow", () => {
  it.each(table)("must call the signal tool: $format, streamed: $isStreamed", async ({ dialect, isStreamed }) => {
    const plays = [signal("[ASK]"), answer({ text: "4" })];
    const { result, requests } = await play(dialect, isStreamed, plays, { emit: "tool" });
    expect(result).toMatchObject({ status: "completed", path: ["teacher", "student"] });
    expect(choiceIn(requests[0] ?? {})).toEqual(required[dialect.provider]);
    // What follows the student is written: it ends the run.
    expect(choiceIn(requests[1] ?? {})).not.toEqual(required[dialect.provider]);
  });

  it.each(table)("is asked without where that is refused: $format, $isStreamed", async ({ dialect, isStreamed }) => {
    const refusal = refuse(400, { "content-type": "application/json" }, '{"error":{"message":"tool_choice: no"}}');
    const plays = [refusal, signal("again"), signal("ask"), answer({ text: "4" })];
    const { result, requests, events, lines } = await play(dialect, isStreamed, plays, { emit: "tool" });
    expect(result).toMatchObject({ status: "completed", path: ["teacher", "teacher", "student"] });
    expect(lines.filter((line) => line.startsWith("[MODEL-WARNING]"))).toEqual([
      `[MODEL-WARNING] ${dialect.provider}/m refused a required tool choice; from now on this run asks it without`,
    ]);
    const choices = requests.map(choiceIn);
    expect(choices[0]).toEqual(required[dialect.provider]);
    for (const choice of choices.slice(1)) expect(choice).not.toEqual(required[dialect.provider]);
    expect(requests.slice(0, 3).every(hasTools)).toBe(true);
    const refused = events.filter(({ type, data }) => type === "model.called" && "refused" in data);
    expect(refused.map(({ data }) => data)).toEqual([
      { model: `${dialect.provider}/m`, turn: 0, attempt: 1, refused: "tool_choice" },
    ]);
  });

  const refusals = formats.flatMap((dialect) =>
    bodies.flatMap((body) =>
      [403, 422, 500, 503].map((status) => ({ dialect, format: dialect.provider, status, body })),
    ),
  );
  it.each(refusals)("is asked without by any refusal that names it: $format, $status $body", async (refusal) => {
    const { dialect, status, body } = refusal;
    const plays = [refuse(status, { "content-type": "application/json" }, body), signal("ask"), answer({ text: "4" })];
    const { result, events } = await play(dialect, true, plays, { emit: "tool" });
    expect(result).toMatchObject({ status: "completed", path: ["teacher", "student"] });
    const calls = events.flatMap(({ type, data }) => (type === "model.called" ? [data] : []));
    expect(calls[1]).toEqual({ model: `${dialect.provider}/m`, turn: 0, attempt: 1, refused: "tool_choice" });
  });

  it.each(formats)("is asked the same again after a failure that does not name it: $provider", async (dialect) => {
    const plays = [refuse(503, {}, '{"error":{"message":"overloaded"}}'), signal("ask"), answer({ text: "4" })];
    const { result, requests } = await play(dialect, true, plays, { emit: "tool", retry_backoff_min_millis: 1 });
    expect(result).toMatchObject({ status: "completed", path: ["teacher", "student"] });
    expect(choiceIn(requests[1] ?? {})).toEqual(required[dialect.provider]);
  });
});

describe("an agent that is asked again for its signal", () => {
  it.each(table)("must call the signal tool: $format, streamed: $isStreamed", async ({ dialect, isStreamed }) => {
    const plays = [answer({ text: "What is 2+2?" }), signal("[ASK]"), answer({ text: "4" })];
    const { result, requests, events } = await play(dialect, isStreamed, plays, { on_no_signal: "repair" });
    expect(result).toMatchObject({ status: "completed", path: ["teacher", "teacher", "student"] });
    expect(requests.map(hasTools)).toEqual([false, true, false]);
    expect(choiceIn(requests[1] ?? {})).toEqual(required[dialect.provider]);
    // Who says nothing more has said it already.
    const asked = events.filter(({ type, agent }) => type === "agent.started" && agent === "student");
    expect(asked.map(({ data }) => data)).toEqual([{ input: "What is 2+2?" }]);
  });

  it.each(table)("writes it where no tools are taken: $format, $isStreamed", async ({ dialect, isStreamed }) => {
    const refusal = refuse(400, { "content-type": "application/json" }, '{"error":{"message":"no tools here"}}');
    const plays = [answer({ text: "2+2?" }), refusal, refusal, answer({ text: "2+2? [ASK]" }), answer({ text: "4" })];
    const { result, requests } = await play(dialect, isStreamed, plays, { on_no_signal: "repair" });
    expect(result).toMatchObject({ status: "completed", path: ["teacher", "teacher", "student"], output: "4" });
    expect(requests.map(hasTools)).toEqual([false, true, true, false, false]);
  });
});

async function play(dialect: Dialect, isStreamed: boolean, plays: readonly Play[], settings: object) {
  const { provider, variable } = dialect;
  server = await openHostileServer(dialect, plays);
  const { url, requests } = server;
  const crew = defineCrew(
    {
      name: "wire",
      models: [`${provider}/m`],
      agents: [
        defineAgent({ id: "teacher", prompt: "Ask." }),
        defineAgent({ id: "student", prompt: "Answer.", is_terminal: true }),
      ],
      routing: {
        signals: {
          teacher: [
            { signal: "[ASK]", target: "student" },
            { signal: "[AGAIN]", target: "teacher" },
          ],
        },
      },
      settings,
    },
    {
      env: {
        [`${variable}_BASE_URL`]: provider === "local" || provider === "ollama" ? `${url}/v1` : url,
        [`${variable}_API_KEY`]: "k",
        BATON_STREAM: isStreamed ? "on" : "off",
      },
    },
  );
  const events: BatonEvent[] = [];
  const result = await crew.run("Go", { onEvent: (event) => void events.push(event) });
  return { result, requests, events, lines: events.flatMap((event) => formatLogLines(event, crew.definition)) };
}
