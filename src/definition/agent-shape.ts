import { fields, ignored, optional, required, withDefault } from "./fields.ts";
import { guardsShape } from "./guards-shape.ts";
import { memoryShape } from "./memory-shape.ts";
import { costLimitsShape, quotasShape } from "./quota-shape.ts";
import { remoteShape } from "./remote-shape.ts";
import { duration, flag, integer, label, linearPattern, number, text, textOrNumber, word } from "./scalar-shapes.ts";
import { anything, choice, list, spelled } from "./shape.ts";

const names = list(word);

const conditionShape = fields(
  {
    contains: optional(text, "the answer contains this text"),
    matches: optional(linearPattern, "the answer matches this regular expression"),
    signal: optional(text, "the answer emits this signal"),
    status: optional(choice("completed", "failed"), "the agent ended with this status"),
    cost_over: optional(number({ min: 0 }), "the run has cost more dollars than this"),
    turns_over: optional(integer({ min: 0 }), "the agent took more turns than this"),
  },
  // Without one of its keys a condition always holds.
  { refusesSlips: true },
);

const neighbour = spelled(
  word,
  fields({
    agent: required(word, "the agent's id"),
    specialty: optional(text, "what the agent is good at, shown to the model"),
    when: optional(conditionShape, "offered only when all of this holds"),
    priority: optional(number(), "higher ones are offered first"),
    cost: optional(choice("prefer_cheaper"), "lets a tie go to the cheaper agent"),
  }),
);

const model = fields({
  model: required(word, "the model's name"),
  provider: required(word, "the provider's name"),
  provider_url: optional(text, "the provider's address, where it is not the usual one"),
});

const contract = spelled(
  choice("text", "markdown", "json"),
  fields({
    format: optional(
      choice("text", "markdown", "json"),
      "the form of the text; json where there is a schema, else text",
    ),
    schema: optional(anything, "a JSON Schema that JSON must fit"),
  }),
);

const goStyle = "a key of go-agentic without a meaning here";

export const agentShape = fields({
  id: optional(word, "unique in the crew; the file's name without extension when absent"),
  name: optional(label, "a name for people"),
  role: optional(text, "what the agent is"),
  backstory: optional(text, "where the agent comes from"),
  description: optional(text, "what the agent does; needed where it is offered to another agent"),
  usage: optional(text, "how to call the agent"),
  system_prompt: optional(text, "the prompt; in a Markdown file it is the text behind the frontmatter"),
  run: optional(
    text,
    "a function that answers in place of a model, such as `./steps.ts#dedupe`; relative to this file, else to the crew's folder",
  ),
  a2a: optional(
    remoteShape,
    "an agent of another system that answers in place of a model, by A2A: the address of its card, or `{card, token_env}`",
  ),
  effect: optional(
    choice("read", "idempotent", "once"),
    "whether calling the function again does harm, with `run`; once when absent",
  ),
  models: optional(names, "models to try in order, each `provider/model`; the crew's when absent"),
  primary: optional(model, "the first model, in go-agentic's form"),
  backup: optional(model, "the model to fall back to, in go-agentic's form"),
  model: optional(word, "the only model, `provider/model`, or its name beside `provider`"),
  provider: optional(word, "the provider of `model`"),
  provider_url: optional(text, "the address of `provider`, where it is not the usual one"),
  temperature: optional(number({ min: 0 }), "sent to the model as it is"),
  top_p: optional(number({ min: 0, max: 1 }), "sent to the model as it is"),
  top_k: optional(integer({ min: 0 }), "sent to the model as it is"),
  max_output_tokens: optional(integer({ min: 1 }), "the longest answer, in tokens"),
  reasoning: optional(textOrNumber, "how much the model reasons, as its provider names it"),
  tools: withDefault(names, [], "names of the tools it may call"),
  agents: withDefault(names, [], "sub-agents, offered as tools `agent__<id>`"),
  handoff: optional(
    spelled(
      word,
      fields({
        to: required(word, "the agent that continues with the answer"),
        include: withDefault(
          list(choice("response", "original_request")),
          [],
          "sections of the input; the bare answer when empty",
        ),
        on_failure: withDefault(
          choice("stop", "continue"),
          "stop",
          "what follows when this agent fails: the run stops, or the next agent gets a report",
        ),
        when: optional(conditionShape, "hands off only when all of this holds"),
      }),
    ),
    "the agent that continues with this one's answer",
  ),
  router: optional(
    spelled(list(neighbour), fields({ destinations: withDefault(list(neighbour), [], "whom it may choose") })),
    "chooses who takes the request, one of these agents",
  ),
  advisors: withDefault(names, [], "agents that give their advice before this one begins"),
  team: optional(
    fields({
      kind: optional(word, "a kind of team that was made in code; its members broadcast when absent"),
      members: withDefault(names, [], "the agents that work together"),
      supervisor: optional(word, "the agent that hears them and decides"),
      member_max_turns: optional(integer({ min: 1 }), "turns of each member; its own max_turns when absent"),
      supervisor_max_turns: optional(integer({ min: 1 }), "turns of the supervisor; its own max_turns when absent"),
    }),
    "agents that work on the task together",
  ),
  chat: withDefault(flag, false, "may be asked for clarification after it answered"),
  collaborations: withDefault(list(neighbour), [], "whom it may transfer the work to"),
  handoff_targets: withDefault(names, [], "where an answer without a signal goes"),
  is_terminal: optional(flag, "its answer ends the run unless a signal says otherwise"),
  domain: optional(word, "its field, for classification"),
  specialties: withDefault(names, [], "its subjects, for classification"),
  max_turns: withDefault(integer({ min: 1 }), 10, "model calls per session"),
  max_tool_calls_per_turn: withDefault(integer({ min: 1 }), 10, "tool calls per turn; the excess is refused"),
  max_tool_output_chars: optional(
    integer({ min: 1 }),
    "longer tool output is cut in the middle; settings.max_tool_output_chars when absent",
  ),
  max_retries: withDefault(integer({ min: 0 }), 3, "retries per model call, across the chain of models"),
  llm_timeout: optional(duration, "the longest a model call may take; settings.llm_timeout_seconds when absent"),
  tool_timeout: optional(duration, "the longest a tool call may take; settings.tool_timeout_seconds when absent"),
  advisor_timeout: optional(duration, "the longest its advisors may take; llm_timeout when absent"),
  input: optional(contract, "what it takes: text, markdown, json, or {format, schema}"),
  output: optional(contract, "what it gives: text, markdown, json, or {format, schema}"),
  parallel_handoffs: optional(flag, "several transfers in one answer run as a group"),
  delegate: withDefault(names, [], "sub-crews it may call by `crew__delegate`"),
  compose: withDefault(flag, false, "may put crews together out of the other agents of its crew by `crew__compose`"),
  quotas: optional(quotasShape, "what this agent may spend"),
  cost_limits: optional(costLimitsShape, "a quota in go-agentic's form"),
  prompt_style: withDefault(
    choice("markdown", "tagged"),
    "markdown",
    "how other agents' words are framed in its input",
  ),
  memory: optional(memoryShape, "what it remembers across runs; the crew's when absent"),
  guards: optional(guardsShape, "what is checked of its input and its answer"),
  attachments: optional(
    choice("none", "new", "all"),
    "which files it is given: none, those of its newest input, or all in what it sees, which is the default",
  ),
  memory_limits: ignored(goStyle),
  error_limits: ignored(goStyle),
  logging: ignored(goStyle),
});
