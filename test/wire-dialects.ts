/** An answer of a model, in no format yet. */
export interface WireAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  /** Why the answer ends early, if it does. */
  readonly end?: "length" | "filter";
  /** Whether the provider says what it counted. An `empty` one has an object without a count. */
  readonly hasUsage?: boolean | "empty";
}

type End = NonNullable<WireAnswer["end"]>;

/** How a provider puts answers on the wire. */
export interface Dialect {
  /** The provider that speaks it, as in `provider/model`. */
  readonly provider: string;
  readonly variable: string;
  /** The events of a streamed answer, in order: each the text of its data. */
  events(answer: WireAnswer): readonly string[];
  whole(answer: WireAnswer): unknown;
  readonly errorEvent: string;
  /** With which usage an answer is none: the format has no such thing. */
  readonly refusedUsages?: readonly (false | "empty")[];
}

const tokens = { input: 10, output: 5 };

function counted({ hasUsage }: { readonly hasUsage?: boolean | "empty" | undefined }, usage: object): object {
  return hasUsage === "empty" ? {} : usage;
}

/** A text in pieces, so that there is a middle to break off in. */
function pieces(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? [];
}

function chunk(delta: object, finish: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices };
}

const chatUsage = { prompt_tokens: tokens.input, completion_tokens: tokens.output, total_tokens: 15 };
const chatCalls = ({ calls = [] }: WireAnswer) =>
  calls.map(({ id, name, args }, index) => ({ index, id, type: "function", function: { name, arguments: args } }));

const chatEnds: Readonly<Record<End, string>> = { length: "length", filter: "content_filter" };
const chatFinish = ({ calls, end }: WireAnswer) =>
  end === undefined ? (calls === undefined ? "stop" : "tool_calls") : chatEnds[end];

const chat: Omit<Dialect, "provider" | "variable"> = {
  events: (answer) => [
    ...[
      chunk({ role: "assistant", content: "" }),
      ...pieces(answer.text ?? "").map((content) => chunk({ content })),
      ...chatCalls(answer).map((call) => chunk({ tool_calls: [call] })),
      chunk({}, chatFinish(answer)),
      ...(answer.hasUsage === false ? [] : [{ ...chunk({}), choices: [], usage: counted(answer, chatUsage) }]),
    ].map((event) => JSON.stringify(event)),
    "[DONE]",
  ],
  whole(answer) {
    const calls = answer.calls === undefined ? {} : { tool_calls: chatCalls(answer) };
    const message = { role: "assistant", content: answer.text ?? null, ...calls };
    const finish_reason = chatFinish(answer);
    const usage = answer.hasUsage === false ? {} : { usage: counted(answer, chatUsage) };
    const choices = [{ index: 0, message, finish_reason }];
    return { id: "c1", object: "chat.completion", created: 1, model: "m", choices, ...usage };
  },
  errorEvent: JSON.stringify({ error: { message: "the engine is overloaded", type: "server_error", code: null } }),
};

const responsesUsage = { input_tokens: tokens.input, output_tokens: tokens.output };
const functionCall = ({ id, name, args }: NonNullable<WireAnswer["calls"]>[number], index: number) => ({
  type: "function_call",
  id: `fc_${index}`,
  call_id: id,
  name,
  arguments: args,
  status: "completed",
});
const responseHead = { id: "r1", object: "response", created_at: 1, model: "m" };
const messageItem = (text: string) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});

const responsesEnds: Readonly<Record<End, string>> = { length: "max_output_tokens", filter: "content_filter" };
const responsesStatus = (end: End | undefined) =>
  end === undefined
    ? { status: "completed" }
    : { status: "incomplete", incomplete_details: { reason: responsesEnds[end] } };

const responses: Omit<Dialect, "provider" | "variable"> = {
  refusedUsages: ["empty"],
  events({ text, calls = [], hasUsage, end: reason }) {
    const usage = hasUsage === false ? {} : { usage: counted({ hasUsage }, responsesUsage) };
    const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const message =
      text === undefined
        ? []
        : [
            { type: "response.output_item.added", output_index: 0, item: { ...messageItem(""), content: [] } },
            ...pieces(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
            { type: "response.output_item.done", output_index: 0, item: messageItem(text) },
          ];
    const called = calls.flatMap((call, index) => {
      const item = functionCall(call, index);
      const place = { output_index: index + 1 };
      return [
        { type: "response.output_item.added", ...place, item: { ...item, arguments: "", status: "in_progress" } },
        { type: "response.function_call_arguments.delta", item_id: item.id, ...place, delta: call.args },
        { type: "response.output_item.done", ...place, item },
      ];
    });
    const type = reason === undefined ? "response.completed" : "response.incomplete";
    const end = { type, response: { ...responseHead, ...responsesStatus(reason), ...usage } };
    return [{ type: "response.created", response: responseHead }, ...message, ...called, end].map((event) =>
      JSON.stringify(event),
    );
  },
  whole({ text, calls = [], hasUsage, end }) {
    const output = [...(text === undefined ? [] : [messageItem(text)]), ...calls.map(functionCall)];
    return {
      ...responseHead,
      ...responsesStatus(end),
      output,
      ...(hasUsage === false ? {} : { usage: counted({ hasUsage }, responsesUsage) }),
    };
  },
  errorEvent: JSON.stringify({
    type: "error",
    sequence_number: 3,
    error: { type: "server_error", code: "server_error", message: "the engine is overloaded", param: null },
  }),
};

const anthropicUsage = { input_tokens: tokens.input, output_tokens: tokens.output };
const anthropicHead = { id: "m1", type: "message", role: "assistant", model: "m" };

const anthropicEnds: Readonly<Record<End, string>> = { length: "max_tokens", filter: "refusal" };
const stopReason = ({ calls, end }: Pick<WireAnswer, "calls" | "end">) =>
  end === undefined ? (calls === undefined ? "end_turn" : "tool_use") : anthropicEnds[end];

const anthropic: Dialect = {
  provider: "anthropic",
  variable: "ANTHROPIC",
  refusedUsages: [false, "empty"],
  events(answer) {
    const { text, calls, hasUsage } = answer;
    const usage = hasUsage === false ? {} : { usage: counted({ hasUsage }, anthropicUsage) };
    const started = { ...anthropicHead, content: [], stop_reason: null, stop_sequence: null, ...usage };
    const said =
      text === undefined
        ? []
        : [
            { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
            ...pieces(text).map((piece) => ({
              type: "content_block_delta",
              index: 0,
              delta: { type: "text_delta", text: piece },
            })),
            { type: "content_block_stop", index: 0 },
          ];
    const called = (calls ?? []).flatMap(({ id, name, args }, at) => {
      const index = at + 1;
      return [
        { type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } },
        { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: args } },
        { type: "content_block_stop", index },
      ];
    });
    const stop_reason = stopReason(answer);
    return [
      { type: "message_start", message: started },
      ...said,
      ...called,
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, ...usage },
      { type: "message_stop" },
    ].map((event) => JSON.stringify(event));
  },
  whole(answer) {
    const { text, calls, hasUsage } = answer;
    const uses = (calls ?? []).map(({ id, name, args }) => ({ type: "tool_use", id, name, input: objectOf(args) }));
    const content = [...(text === undefined ? [] : [{ type: "text", text }]), ...uses];
    const usage = hasUsage === false ? {} : { usage: counted({ hasUsage }, anthropicUsage) };
    const stop_reason = stopReason(answer);
    return { ...anthropicHead, content, stop_reason, stop_sequence: null, ...usage };
  },
  errorEvent: JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
};

const googleUsage = { promptTokenCount: tokens.input, candidatesTokenCount: tokens.output, totalTokenCount: 15 };
const googleCalls = ({ calls = [] }: WireAnswer) =>
  calls.map(({ id, name, args }) => ({ functionCall: { id, name, args: objectOf(args) } }));

const googleEnds: Readonly<Record<End, string>> = { length: "MAX_TOKENS", filter: "SAFETY" };
const finishReason = ({ end }: WireAnswer) => (end === undefined ? "STOP" : googleEnds[end]);

const google: Dialect = {
  provider: "google",
  variable: "GOOGLE",
  events(answer) {
    const parts = [...pieces(answer.text ?? "").map((text) => ({ text })), ...googleCalls(answer)];
    const usage = answer.hasUsage === false ? {} : { usageMetadata: counted(answer, googleUsage) };
    const ending = { content: { role: "model", parts: [{ text: "" }] }, finishReason: finishReason(answer), index: 0 };
    const events = parts.map((part) => ({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] }));
    return [...events, { candidates: [ending], ...usage }].map((event) => JSON.stringify(event));
  },
  whole(answer) {
    const parts = [...(answer.text === undefined ? [] : [{ text: answer.text }]), ...googleCalls(answer)];
    const usage = answer.hasUsage === false ? {} : { usageMetadata: counted(answer, googleUsage) };
    return {
      candidates: [{ content: { role: "model", parts }, finishReason: finishReason(answer), index: 0 }],
      ...usage,
    };
  },
  errorEvent: JSON.stringify({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }),
};

/** Where a format has arguments as an object, what is no JSON can only come as a text. */
function objectOf(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

export const dialects: readonly Dialect[] = [
  { provider: "local", variable: "LOCAL", ...chat },
  { provider: "openai.chat", variable: "OPENAI", ...chat },
  { provider: "openai.responses", variable: "OPENAI", ...responses },
  anthropic,
  google,
];
