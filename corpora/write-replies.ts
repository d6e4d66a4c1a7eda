import { joinPlace, listCrews } from "../src/flow/list-crews.ts";
import type { Agent, Binding, Crew } from "../src/vocabulary/crew.ts";

/** A reply as a scenario's script has it. */
type Reply = string | { readonly text: string; readonly tools: readonly { name: string; args: unknown }[] };

/** More calls than any agent gets before a limit ends the run. */
const REPLIES = 150;

/** Replies for every agent of a crew: it calls what it has, and then gives its signals in turn. */
export function writeReplies(crew: Crew): Record<string, Reply[]> {
  const scripts = listCrews(crew).flatMap(([place, { agents, bindings }]) =>
    [...agents].map(([id, agent]) => [joinPlace(place, id), repliesOf(agent, bindings.get(id) ?? [])] as const),
  );
  return Object.fromEntries(scripts);
}

function repliesOf(agent: Agent, bindings: readonly Binding[]): Reply[] {
  const answers = answersOf(agent, bindings);
  const calls = callsOf(agent);
  const first: Reply[] = calls.length === 0 ? [] : [{ text: "", tools: calls }];
  return [...first, ...Array.from({ length: REPLIES }, (_, index) => answers[index % answers.length] ?? "")];
}

/** One call of each kind that the agent can make. */
function callsOf({ tools, subAgents, router, collaborations }: Agent): { name: string; args: unknown }[] {
  const [tool] = tools.filter((name) => !name.endsWith("*"));
  const [subAgent] = subAgents;
  const [destination] = router?.destinations ?? [];
  const [collaborator] = collaborations;
  return [
    ...(tool === undefined ? [] : [{ name: tool, args: {} }]),
    ...(subAgent === undefined ? [] : [{ name: `agent__${subAgent}`, args: { prompt: "look", reason: "to see" } }]),
    ...(destination === undefined ? [] : [{ name: "handoff-to", args: { agent: destination.agent } }]),
    ...(collaborator === undefined ? [] : [{ name: `transfer_to_${collaborator.agent}`, args: { context: {} } }]),
  ];
}

function answersOf({ id, output }: Agent, bindings: readonly Binding[]): string[] {
  if (output.schema !== undefined) return [JSON.stringify(exampleOf(output.schema))];
  if (output.format === "json") return [JSON.stringify({ from: id })];
  // What ends the run comes last, so that the others are tried too.
  const ending = (binding: Binding) => Number(binding.move.type === "terminate");
  const signals = bindings.toSorted((a, b) => ending(a) - ending(b)).map(({ signal }) => signal);
  return signals.length === 0 ? [`An answer of ${id}.`] : signals.map((signal) => `An answer of ${id}. ${signal}`);
}

type Schema = Readonly<Record<string, unknown>>;

/** A value that fits a JSON Schema of the usual kinds. */
function exampleOf(schema: unknown): unknown {
  const { type, enum: values, properties, items, const: only } = (schema ?? {}) as Schema;
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  const [kind] = [type].flat();
  if (kind === "object" || properties !== undefined)
    return Object.fromEntries(
      Object.entries((properties ?? {}) as Schema).map(([key, each]) => [key, exampleOf(each)]),
    );
  if (kind === "array") return items === undefined ? [] : [exampleOf(items)];
  if (kind === "number" || kind === "integer") return 1;
  if (kind === "boolean") return true;
  return kind === "null" ? null : "a text";
}
