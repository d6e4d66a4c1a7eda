import { listAgents } from "../flow/list-crews.ts";
import { type Model, type ModelRequest, readModelError } from "../models/model.ts";
import { openModel } from "../models/open-model.ts";
import { formatModelName, parseModels } from "../prepare/prepare-models.ts";
import type { Crew, ModelName } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { fine, note, type Observation, wrong } from "./observation.ts";

type Variables = Readonly<Record<string, string | undefined>>;

interface Candidate {
  readonly name: string;
  readonly agents: readonly string[];
  readonly opened: Model | BatonError;
}

/** Whether each agent has a model that can be called; with `isOnline`, by calling each once. */
export async function examineModels(crew: Crew, variables: Variables, isOnline: boolean): Promise<Observation[]> {
  const defaults = parseModels(variables["BATON_MODEL"] ?? "", "BATON_MODEL");
  const chains = listAgents(crew)
    .filter(([, agent]) => agent.function === undefined)
    .map(([id, { models }]) => ({ id, models: models.length > 0 ? models : defaults }));
  const names = new Map(
    chains.flatMap(({ models }) => models.map((model) => [formatModelName(model), model] as const)),
  );
  const candidates = new Map<string, Candidate>();
  for (const [name, model] of names) {
    const agents = chains.filter(({ models }) => models.some((each) => formatModelName(each) === name));
    candidates.set(name, { name, agents: agents.map(({ id }) => id), opened: await open(model, variables) });
  }
  const stuck = chains.filter(({ models }) => models.every((model) => !isOpen(candidates.get(formatModelName(model)))));
  const findings: Observation[] = [];
  for (const candidate of candidates.values()) findings.push(await examine(candidate, stuck, isOnline));
  return [...findings, ...stuck.filter(({ models }) => models.length === 0).map(({ id }) => nameless(id))];
}

function nameless(id: string): Observation {
  return wrong(
    "model",
    `agent '${id}' has no model`,
    "Write 'models: [provider/model]' in crew.yaml, or set BATON_MODEL.",
  );
}

/** Undefined stands for replies of a script or a stored run, which need nothing. */
async function open(model: ModelName, variables: Variables): Promise<Model | BatonError> {
  if (model.provider === "script" || model.provider === "replay") return { name: formatModelName(model), call: refuse };
  try {
    return await openModel(model, variables);
  } catch (error) {
    if (error instanceof BatonError) return error;
    throw error;
  }
}

function refuse(): never {
  throw new BatonError("bad-script", "a script is not called");
}

function isOpen(candidate: Candidate | undefined): boolean {
  return candidate !== undefined && !(candidate.opened instanceof BatonError);
}

async function examine(
  { name, agents, opened }: Candidate,
  stuck: readonly { readonly id: string }[],
  isOnline: boolean,
): Promise<Observation> {
  const who = agents.length === 1 ? `agent '${agents[0]}'` : `${agents.length} agents`;
  if (opened instanceof BatonError) {
    const alone = agents.filter((id) => stuck.some((each) => each.id === id));
    if (alone.length === 0) return note("model", `${name}: ${opened.message}; another model of ${who} can answer`);
    return wrong(
      "model",
      `${name}, for ${who}: ${opened.message}`,
      "Or name another model with --model, as in --model ollama/llama3.2.",
    );
  }
  if (!isOnline || /^(?:script|replay)\//.test(name))
    return fine("model", `${name}, for ${who}${describeReach(opened, isOnline)}`);
  return callOnce(name, who, opened);
}

function describeReach({ server }: Model, isOnline: boolean): string {
  return server === undefined || isOnline ? "" : `: what it needs is set; --online also calls ${server.address}`;
}

const PATIENCE_MS = 30_000;

/** The cheapest call that shows that key, address and model are right. */
async function callOnce(name: string, who: string, model: Model): Promise<Observation> {
  const began = performance.now();
  try {
    const { usage } = await model.call(createRequest());
    const tokens = usage === undefined ? "" : `, ${usage.input + usage.output} tokens`;
    return fine("model", `${name}, for ${who}: answered in ${Math.round(performance.now() - began)} ms${tokens}`);
  } catch (thrown) {
    const error = readModelError(thrown);
    // It was reached and has accepted the key: that it said too little is no fault.
    if (error.code === "empty_reply" || error.code === "length") return fine("model", `${name}, for ${who}: answered`);
    return wrong("model", `${name}, for ${who}: ${error.message}`, adviseOn(error.status));
  }
}

function adviseOn(status: number | undefined): string {
  if (status === 401 || status === 403) return "The key is refused: check that it is the provider's, and not expired.";
  if (status === 404) return "Check the name of the model, and that your account may use it.";
  if (status === 429) return "The provider limits your account now: wait, or check its balance.";
  return "Check the address and the network, also a proxy's settings.";
}

function createRequest(): ModelRequest {
  const none = undefined;
  const nothing = () => {};
  return {
    agent: "doctor",
    path: "",
    crew: "",
    calls: 1,
    system: "",
    messages: () => [{ role: "user", text: "Say OK." }],
    tools: [],
    sampling: { temperature: none, topP: none, topK: none, maxOutputTokens: 16, reasoning: none },
    json: none,
    signal: AbortSignal.timeout(PATIENCE_MS),
    onText: nothing,
    onReasoning: nothing,
  };
}
