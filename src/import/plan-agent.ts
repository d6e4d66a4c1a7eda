import type { AgentFile } from "../definition/agent-file.ts";
import { agentShape } from "../definition/agent-shape.ts";
import type { CrewParts } from "../definition/crew-parts.ts";
import { findEntry } from "../definition/fields.ts";
import { findCollaborations } from "../definition/find-collaborations.ts";
import { parseModel } from "../definition/parse-model.ts";
import { toPlain } from "../definition/yaml-node.ts";
import type { Agent, Neighbour } from "../vocabulary/crew.ts";
import { isBlank } from "../vocabulary/wording.ts";
import { compact, toMap, toWritten } from "./clean-keys.ts";
import type { Plain, PlainMap, PlannedAgent } from "./crew-plan.ts";
import { locateSpan, shorten } from "./original-text.ts";

/** What an agent gets besides the keys of its file. */
export interface AgentChoices {
  readonly tools: readonly string[];
  /** Agents that it may call beyond those that its file names. */
  readonly calls: readonly string[];
}

/** Keys that name others, or of which there are several forms; the rest is written as it was read. */
const written: readonly string[] = Object.keys(agentShape.absent).filter(
  (key) =>
    ![
      ...[
        "id",
        "system_prompt",
        "tools",
        "models",
        "primary",
        "backup",
        "model",
        "provider",
        "provider_url",
        "description",
      ],
      ...[
        "agents",
        "handoff",
        "router",
        "advisors",
        "team",
        "collaborations",
        "handoff_targets",
        "run",
        "effect",
        "delegate",
      ],
    ].includes(key),
);

/** An agent that was loaded, in the keys of a file of its own. */
export function planAgent(file: AgentFile, agent: Agent, parts: CrewParts, choices: AgentChoices): PlannedAgent {
  const read = new Map<string, unknown>(Object.entries(file.keys));
  const others = written.flatMap((key): [string, Plain | undefined][] => {
    const entry = findEntry(file.root, key);
    if (entry === undefined) return [];
    const isDuration = key.endsWith("_timeout") && entry.value.kind === "scalar" && read.get(key) !== undefined;
    return [[key, toWritten(isDuration ? toPlain(entry.value) : read.get(key))]];
  });
  const keys = compact({
    ...pick(others, ["name", "role"]),
    description: toWritten(describe(file)),
    ...modelKeys(file),
    ...Object.fromEntries(others),
    tools: choices.tools,
    ...neighbourKeys(file, agent, choices.calls),
  });
  const isWhole = keepsCollaborations(file, parts);
  const collaborations = isWhole ? [] : agent.collaborations.map((each) => writeNeighbour(each));
  const prompt = (isWhole ? file.prompt : renameCollaborations(file.prompt)).replaceAll("\r\n", "\n").trim();
  const from = locateSpan(file.source, { start: 0, end: 0 });
  return { id: file.id, keys: compact({ ...keys, collaborations }), prompt, from };
}

function pick(entries: readonly (readonly [string, Plain | undefined])[], names: readonly string[]): PlainMap {
  return Object.fromEntries(entries.filter(([key]) => names.includes(key)));
}

/** What the agent does; an agent that others call must say so, where its file does not. */
function describe(file: AgentFile): string | undefined {
  const { description, role, name } = file.keys;
  if (description !== undefined && !isBlank(description)) return description.trim();
  return role ?? name;
}

/** A description for an agent that has none, out of the first words of its prompt. */
export function describeByPrompt({ id, prompt }: PlannedAgent): string {
  const line = prompt.split("\n").find((each) => /\p{L}/u.test(each) && !/^[#<`]/.test(each.trim()));
  return line === undefined ? id.replace(/[-_]+/g, " ") : shorten(line.replace(/[*_`]/g, ""));
}

/** The models as one chain; in the older form only where a model has an address of its own. */
function modelKeys({ keys }: AgentFile): PlainMap {
  const { models, primary, backup, model, provider, provider_url } = keys;
  const forms = [primary, backup, { model, provider, provider_url }];
  if (forms.some((form) => form?.provider_url !== undefined))
    return toMap(toWritten({ models, primary, backup, model, provider, provider_url }));
  const named = forms.flatMap((form) =>
    form?.model === undefined ? [] : form.provider === undefined ? form.model : `${form.provider}/${form.model}`,
  );
  return { models: [...(models ?? []), ...named].filter((name) => parseModel(name) !== undefined) };
}

/** Whom the agent knows, by their ids. */
function neighbourKeys(file: AgentFile, agent: Agent, calls: readonly string[]): PlainMap {
  const { handoff, router, team } = agent;
  const { keys } = file;
  const long = typeof keys.handoff === "object" ? toMap(toWritten(keys.handoff)) : {};
  const isShort = Object.keys(long).every((key) => key === "to" || (key === "on_failure" && long[key] === "stop"));
  const members = team && toMap(toWritten(keys.team));
  return {
    agents: [...new Set([...agent.subAgents, ...calls])],
    handoff: handoff && (isShort ? handoff.to : { ...long, to: handoff.to }),
    router: router && { destinations: router.destinations.map(writeNeighbour) },
    advisors: agent.advisors,
    team: team && { ...members, members: team.members, supervisor: team.supervisor },
    handoff_targets: agent.handoffTargets,
    delegate: agent.delegate,
  };
}

function writeNeighbour({ agent, specialty, when, priority, cost }: Neighbour): Plain {
  const { costOver, turnsOver, ...same } = when ?? {};
  const condition = toWritten({ ...same, cost_over: costOver, turns_over: turnsOver });
  const keys = compact({ agent, specialty, when: condition, priority, cost });
  return Object.keys(keys).length === 1 ? agent : keys;
}

/** Whether the prompt may go on naming its collaborators itself: Baton reads them there, as long as it finds each of them. */
function keepsCollaborations(file: AgentFile, parts: CrewParts): boolean {
  if (file.keys.collaborations.length > 0) return false;
  if (findCollaborations(file.prompt, 0).length !== file.bodyCollaborations.length) return false;
  return file.bodyCollaborations.every(({ name }) => parts.resolve(file, "collaborations", name) !== undefined);
}

/** A prompt that Baton reads no collaborators out of. */
function renameCollaborations(prompt: string): string {
  return prompt
    .replace(/(\*\*)collaborations(:?\*\*)/gi, "$1Collaborators$2")
    .replace(/^(#{1,6}\s[#*: \t]*)collaborations(?=[#*: \t\r]*$)/gim, "$1Collaborators");
}
