import type { AgentFile } from "../agent-file.ts";
import type { CrewParts } from "../crew-parts.ts";
import { findEntry } from "../fields.ts";
import { findFunction } from "../find-function.ts";
import { placeOfKey, placeOfValue } from "../locate.ts";
import { findModuleProblem, noModule, splitToolReference } from "../tool-reference.ts";

/** Agents whose answers come from a function: its module must be there, and only a model takes some keys. */
export function checkFunctions(parts: CrewParts): void {
  for (const agent of parts.directory.files.values()) {
    const found = findFunction(agent, parts);
    if (found === undefined) {
      checkEffect(agent, parts);
      continue;
    }
    if (found.remote !== undefined) checkRemote(agent, found.remote.card, parts);
    if (found.module !== undefined) checkModule(agent, found.module.file, parts);
    checkKeys(agent, parts);
  }
  checkSummarizer(parts);
}

function checkEffect(agent: AgentFile, { crewFile }: CrewParts): void {
  if (agent.keys.effect === undefined) return;
  const message = "'effect' has no effect without 'run': only a function has one";
  crewFile.reporter.report("no-effect", placeOfKey(agent, ["effect"]), message);
}

/** Whether an address can be that of a card. Nothing is asked there. */
function checkRemote(agent: AgentFile, card: string, { crewFile }: CrewParts): void {
  const { reporter } = crewFile;
  const url = URL.parse(card);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url?.hostname ?? "");
  const isAddress = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback);
  if (!isAddress || url?.username !== "" || url.password !== "")
    reporter.report(
      "bad-address",
      placeOfValue(agent, ["a2a"]),
      `'a2a' of agent '${agent.id}' is the address of an A2A card, https://… without a user; got '${card}'`,
    );
  if (agent.keys.run !== undefined)
    reporter.report(
      "bad-pattern",
      placeOfKey(agent, ["run"]),
      `agent '${agent.id}' has 'run' and 'a2a', and only one of them can answer: remove one`,
    );
  if (agent.keys.effect !== undefined)
    reporter.report(
      "no-effect",
      placeOfKey(agent, ["effect"]),
      "'effect' has no effect with 'a2a': a call of a remote agent is found again after a crash",
    );
}

/** Nothing is imported to find out. */
function checkModule(agent: AgentFile, path: string, { crewFile, root }: CrewParts): void {
  const { run = "" } = agent.keys;
  const problem = splitToolReference(run, agent.id).file === "" ? noModule : findModuleProblem(path, root);
  if (problem === undefined) return;
  const message = `the function of agent '${agent.id}': '${run}' ${problem.message}`;
  crewFile.reporter.report(problem.code, placeOfValue(agent, ["run"]), message);
}

/** The keys that only a model can act on, and what would never happen. */
function listNeeds({ keys }: AgentFile): (readonly [key: string, lack: string])[] {
  const { router, agents, delegate, compose, chat } = keys;
  const needs = [
    [router !== undefined, "router", "nobody chooses among its destinations"],
    [agents.length > 0, "agents", "nobody calls its sub-agents"],
    [delegate.length > 0, "delegate", "nobody calls these crews"],
    [compose, "compose", "nobody puts crews together"],
    [chat, "chat", "nobody can ask it about its answer"],
  ] as const;
  return needs.flatMap(([isGiven, key, lack]) => (isGiven ? [[key, lack] as const] : []));
}

const ofModel = [
  ...["models", "primary", "backup", "model", "provider", "provider_url"],
  ...["temperature", "top_p", "top_k", "max_output_tokens", "reasoning"],
  ...["system_prompt", "tools", "max_tool_calls_per_turn", "llm_timeout"],
];

function checkKeys(agent: AgentFile, { crewFile }: CrewParts): void {
  const { reporter } = crewFile;
  const isRemote = agent.keys.a2a !== undefined;
  const [what, own] = isRemote ? ["a remote agent", "a2a"] : ["a function", "run"];
  for (const [key, lack] of listNeeds(agent)) {
    const message = `agent '${agent.id}' is ${what} and has no model, so that ${lack}: remove '${key}', or '${own}'`;
    reporter.report("bad-pattern", placeOfKey(agent, [key]), message);
  }
  const idle = ofModel.filter((key) => findEntry(agent.root, key) !== undefined);
  const why = `the agent is ${what} and has no model`;
  for (const key of idle)
    reporter.report("no-effect", placeOfKey(agent, [key]), `'${key}' has no effect: ${why}`, { idle: { key, why } });
  if (agent.hasBody && agent.bodyCollaborations.length === 0)
    reporter.report("no-effect", placeOfKey(agent, []), `the prompt has no effect: ${why}`, {
      idle: { key: "prompt", why },
    });
}

/** A function sees the input only. */
function checkSummarizer(parts: CrewParts): void {
  const { crewFile, directory, placeOf } = parts;
  const summarizer = directory.files.get(crewFile.keys.settings?.summarizer ?? "");
  if (summarizer === undefined || findFunction(summarizer, parts) === undefined) return;
  const message = `summarizer '${summarizer.id}' is a function, which does not see the conversation: name an agent with a model`;
  crewFile.reporter.report("bad-pattern", placeOf(["settings", "summarizer"]), message);
}
