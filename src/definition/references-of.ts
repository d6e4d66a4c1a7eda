import type { AgentFile } from "./agent-file.ts";
import { type Path, placeOfValue } from "./locate.ts";
import { type Place, placeIn } from "./source.ts";

type ReferenceKind =
  | "handoff"
  | "router"
  | "advisors"
  | "members"
  | "supervisor"
  | "agents"
  | "handoff_targets"
  | "collaborations";

/** One agent's mention of another, as written: an id, a path, or for collaborators a name. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly place: Place;
  readonly specialty?: string | undefined;
}

/** Every other agent that this agent's file names. */
export function referencesOf(agent: AgentFile): Reference[] {
  const { keys } = agent;
  const at = (kind: ReferenceKind, name: string, path: Path): Reference => ({
    kind,
    name,
    place: placeOfValue(agent, path),
  });
  const handoff = keys.handoff;
  const references = [
    ...(handoff === undefined ? [] : [handoffReference(agent, handoff)]),
    ...(keys.router?.destinations ?? []).map((each, index) =>
      neighbour(agent, "router", each, ["router", "destinations", index]),
    ),
    ...keys.advisors.map((name, index) => at("advisors", name, ["advisors", index])),
    ...(keys.team?.members ?? []).map((name, index) => at("members", name, ["team", "members", index])),
    ...(keys.team?.supervisor === undefined ? [] : [at("supervisor", keys.team.supervisor, ["team", "supervisor"])]),
    ...keys.agents.map((name, index) => at("agents", name, ["agents", index])),
    ...keys.handoff_targets.map((name, index) => at("handoff_targets", name, ["handoff_targets", index])),
    ...keys.collaborations.map((each, index) => neighbour(agent, "collaborations", each, ["collaborations", index])),
    ...agent.bodyCollaborations.map(
      ({ name, specialty, span }): Reference => ({
        kind: "collaborations",
        name,
        specialty,
        place: placeIn(agent.source, span),
      }),
    ),
  ];
  // One without a name was reported as a missing field.
  return references.filter(({ name }) => name !== "");
}

/** Whether a reference is a path to a file rather than an id; `CI/CD` is a name. */
export function isPathReference(name: string): boolean {
  return /^\.{0,2}\/|\.(md|ai|ya?ml)$/.test(name);
}

type NeighbourKeys = AgentFile["keys"]["collaborations"][number];

/** The name in either spelling of a destination or collaboration. */
export function neighbourName(keys: NeighbourKeys): string {
  return typeof keys === "string" ? keys : (keys.agent ?? "");
}

function neighbour(agent: AgentFile, kind: ReferenceKind, keys: NeighbourKeys, path: Path): Reference {
  const isShort = typeof keys === "string";
  const place = placeOfValue(agent, isShort ? path : [...path, "agent"]);
  return { kind, name: neighbourName(keys), place, specialty: isShort ? undefined : keys.specialty };
}

function handoffReference(agent: AgentFile, handoff: NonNullable<AgentFile["keys"]["handoff"]>): Reference {
  const isShort = typeof handoff === "string";
  const place = placeOfValue(agent, isShort ? ["handoff"] : ["handoff", "to"]);
  return { kind: "handoff", name: isShort ? handoff : (handoff.to ?? ""), place };
}
