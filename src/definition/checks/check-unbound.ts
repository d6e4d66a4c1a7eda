import { isIndex } from "../../signals/line-rules.ts";
import { scanSignals } from "../../signals/scan-signals.ts";
import { indexSignals, type SignalIndex } from "../../signals/signal-index.ts";
import { isSignalName } from "../../signals/signal-name.ts";
import { mayEmit } from "../../signals/validate-signals.ts";
import { type AgentFile, placeOfAgent } from "../agent-file.ts";
import type { CrewParts } from "../crew-parts.ts";
import { findFunction } from "../find-function.ts";
import { type Place, placeIn } from "../source.ts";

/** Prompts that tell an agent to emit a signal which is not bound for it, so that nothing would follow. */
export function checkUnbound(parts: CrewParts): void {
  const { crewFile, directory } = parts;
  // Agent files without a crew have nowhere to bind a signal.
  if (crewFile.isImplied) return;
  const known = knownSignals(parts);
  for (const [id, agent] of directory.files) {
    if (findFunction(agent, parts) !== undefined) continue;
    const bound = boundSignals(id, parts);
    const isBound = new Set(bound);
    const index = indexSignals([...bound, ...known].map((name, at) => ({ name, priority: -at })));
    const isKnown = new Set(known);
    const told = new Set<string>();
    for (const { signal, token, offset } of scanSignals(
      agent.prompt,
      parts.world.strict ? withStrangers(index) : index,
      "anywhere",
    )) {
      if (isBound.has(signal.name) || told.has(signal.name) || !isToBeEmitted(agent.prompt, offset)) continue;
      told.add(signal.name);
      const why = isKnown.has(signal.name) ? "not bound for it" : "not registered";
      const message = `the prompt of agent '${id}' tells it to emit '${signal.name}', which is ${why}; the signal would be recorded and do nothing`;
      crewFile.reporter.report("unbound-signal", placeOfToken(agent, token, offset), message);
    }
  }
}

/** Adds all tokens that have the form of a signal: in strict mode, emitting one that nobody registered is recorded. */
function withStrangers(index: SignalIndex): SignalIndex {
  return {
    mayResolve: () => true,
    resolve: (token) => index.resolve(token) ?? findStranger(token),
  };
}

function findStranger(name: string): ReturnType<SignalIndex["resolve"]> {
  return isSignalName(name) ? { signal: { name, priority: 0 }, level: "exact" } : undefined;
}

/** All that are registered; in permissive mode binding a signal registers it. */
function knownSignals({ world, crewFile }: CrewParts): readonly string[] {
  const bindings = [...(crewFile.keys.routing?.signals.values() ?? [])].flat();
  const bound = bindings.flatMap(({ signal }) => (signal !== undefined && isSignalName(signal) ? [signal] : []));
  return [...new Set([...world.registry.list().map(({ name }) => name), ...bound])];
}

function boundSignals(agent: string, { world, crewFile }: CrewParts): readonly string[] {
  const bound = (crewFile.keys.routing?.signals.get(agent) ?? []).flatMap(({ signal }) => signal ?? []);
  const byDefault = world.registry
    .list()
    .filter(
      (definition) =>
        definition.defaultTarget !== undefined && definition.defaultTarget !== agent && mayEmit(definition, agent),
    );
  return [...bound, ...byDefault.map(({ name }) => name)].filter(isSignalName);
}

const TOLD =
  /(?<!\b(?:an?|the|this|that|any|each|its|their|his|her|your)\s+)\b(?:emit|say|write|output|signal|send|return|print|append|include|use|put|raise|(?:reply|respond|answer|end|finish|close|conclude)\b.*\b(?:with|by|in|using))\b|phát (?:ra )?tín hiệu|gửi|viết|ghi|trả về|trả lời/iu;
const NOT_TOLD = /\b(?:not|never|without|except|instead of|cannot)\b|n['’]t\b|không|đừng/iu;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+[*_`]*$/u;

/** Whether the words before a token ask for it: in its sentence or, for an item of a list, in the line that announces the list. */
function isToBeEmitted(prompt: string, offset: number): boolean {
  if (isIndex(prompt, offset)) return false;
  const line = prompt.slice(prompt.lastIndexOf("\n", offset - 1) + 1, offset);
  const sentence = line.slice(Math.max(...[". ", "! ", "? ", "; "].map((stop) => line.lastIndexOf(stop))) + 1);
  const asked = ITEM.test(line) ? findAnnouncement(prompt, offset) : sentence;
  return TOLD.test(asked) && !NOT_TOLD.test(asked);
}

/** The line that ends in a colon above the items of a list. */
function findAnnouncement(prompt: string, offset: number): string {
  const above = prompt.slice(0, offset).split("\n").slice(0, -1).reverse();
  const line = above.find((each) => each.trim() !== "" && !/^\s*(?:[-*+]|\d{1,3}[.)])\s/u.test(each)) ?? "";
  return line.trimEnd().endsWith(":") ? line : "";
}

/** Where the token stands in the agent's file. The prompt of a YAML file may be indented there. */
function placeOfToken(agent: AgentFile, token: string, offset: number): Place {
  const { text } = agent.source;
  const promptAt = text.lastIndexOf(agent.prompt);
  const start = promptAt === -1 ? text.indexOf(token, text.indexOf("prompt")) : promptAt + offset;
  return start === -1 ? placeOfAgent(agent) : placeIn(agent.source, { start, end: start + token.length });
}
