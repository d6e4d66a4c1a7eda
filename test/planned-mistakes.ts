/** A crew that was made wrong on purpose, and what its plan says of that. */
export interface PlannedMistake {
  readonly agents: Readonly<Record<string, string>>;
  readonly keys: string;
  readonly says: readonly string[];
}

const limits = "max_turns: 2\nmax_retries: 0\nmax_output_tokens: 100";
const priced = `models: [openai/gpt-4.1-mini]\n${limits}`;

export const plannedMistakes: Readonly<Record<string, PlannedMistake>> = {
  "a loop without an end": {
    agents: { a: priced, b: priced },
    keys: 'routing: {signals: {a: [{signal: "[GO]", target: b}], b: [{signal: "[BACK]", target: a}]}, defaults: {a: b, b: a}}',
    says: ["loop a → b → a: only max_handoffs (10) ends it", "until max_handoffs ends it"],
  },
  "a limit that never binds": {
    agents: { a: priced, b: priced },
    keys: "settings: {max_handoffs: 500}",
    says: ["max_handoffs (500) never binds: no run makes more than 1"],
  },
  "rounds that never bind": {
    agents: { a: priced, b: priced },
    keys: "settings: {max_rounds: 50}",
    says: ["max_rounds (50) never binds: no run has more than 2 answers"],
  },
  "a model without a price": {
    agents: { a: priced, b: `models: [acme/one]\n${limits}` },
    keys: "",
    says: ["unknown for b: the price of acme/one is not known", "at least $"],
  },
  "a model without an output limit": {
    agents: { a: "models: [mistral/mistral-large-latest]" },
    keys: "",
    says: ["unknown for a: the output limit of mistral/mistral-large-latest is not known; set 'max_output_tokens'"],
  },
  "an agent without a model": {
    agents: { a: "max_turns: 1" },
    keys: "",
    says: ["unknown for a: it has no model", "the cost of a run is unknown, because of a; at most "],
  },
  "an agent that nobody reaches": {
    agents: { a: priced, b: priced },
    keys: "routing: {defaults: {a: null}}",
    says: ["never reached: b"],
  },
  "an agent that can only wait": {
    agents: { a: priced },
    keys: "routing: {agent_behaviors: {a: {wait_for_signal: true}}}",
    says: ["ends nowhere: a", "loop a → a: only max_rounds (100) ends it"],
  },
  "a group that nobody enters": {
    agents: { a: priced, b: priced },
    keys: "routing: {parallel_groups: {vote: {agents: [a, b]}}}",
    says: ["never reached: group vote"],
  },
  "signals of an agent that is only called": {
    agents: { a: `${priced}\nagents: [b]`, b: `${priced}\ndescription: helps` },
    keys: 'routing: {signals: {b: [{signal: "[DONE]"}]}}',
    says: ["never reached: binding b [DONE]"],
  },
  "a quota far below what is possible": {
    agents: { a: priced, b: priced },
    keys: "settings: {quotas: {max_llm_calls: 3}}",
    says: ["quota that binds first: max_llm_calls of test at 3, where 4 would be possible", "at most 3 model calls"],
  },
  "a quota that a human may raise": {
    agents: { a: priced },
    keys: "settings: {quotas: {max_llm_calls: 1, on_exceed: pause}}",
    says: ["quotas with 'on_exceed: pause' bound nothing here", "at most 2 model calls"],
  },
  "calls that only time ends": {
    agents: {
      a: `${priced}\nagents: [b]`,
      b: `${priced}\ndescription: helps\nhandoff: {to: c, on_failure: continue}`,
      c: `${priced}\ndescription: works\ncollaborations: [b]`,
    },
    keys: "",
    says: [
      "unknown for b: within a call, transfers may come back to it as often as it fails",
      "any number of model calls",
    ],
  },
  "far too many turns": {
    agents: {
      a: `models: [openai/gpt-4.1-mini]\nmax_output_tokens: 100\nmax_retries: 0\nmax_turns: 100\nagents: [b]`,
      b: `${priced}\ndescription: helps`,
    },
    keys: "",
    says: ["a.max_turns from 100 to 4 saves $"],
  },
};
