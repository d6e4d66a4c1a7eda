import { hasAgentExtension } from "./agent-extensions.ts";
import type { agentShape } from "./agent-shape.ts";
import type { BodyCollaboration } from "./find-collaborations.ts";
import { type Located, type Path, placeOfValue } from "./locate.ts";
import type { ValueOf } from "./shape.ts";
import { type Place, placeIn } from "./source.ts";

type ReferenceKind =
  | "handoff"
  | "router"
  | "advisors"
  | "members"
  | "supervisor"
  | "agents"
  | "guards"
  | "handoff_targets"
  | "collaborations";

/** One agent's mention of another, as written: an id, a path, or for collaborators a name. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly place: Place;
  readonly specialty?: string | undefined;
}

/** An agent's keys, as far as they name others. */
type AgentKeys = ValueOf<typeof agentShape>;

/** Every other agent that an agent's file names, in its keys and in its body. */
export function collectReferences(
  file: Located,
  keys: AgentKeys,
  bodyCollaborations: readonly BodyCollaboration[],
): Reference[] {
  const at = (kind: ReferenceKind, name: string, path: Path): Reference => ({
    kind,
    name,
    place: placeOfValue(file, path),
  });
  const neighbour = (kind: ReferenceKind, keys: NeighbourKeys, path: Path): Reference => {
    const place = placeOfValue(file, typeof keys === "string" ? path : [...path, "agent"]);
    return { kind, name: neighbourName(keys), place, specialty: typeof keys === "string" ? undefined : keys.specialty };
  };
  const { handoff, team } = keys;
  const references = [
    ...(handoff === undefined ? [] : [handoffReference(file, handoff)]),
    ...listDestinations(keys).map((each, index) => neighbour("router", each, [...pathOfDestinations(keys), index])),
    ...listGuardAgents(keys).map(({ name, path }) => at("guards", name, path)),
    ...keys.advisors.map((name, index) => at("advisors", name, ["advisors", index])),
    ...(team?.members ?? []).map((name, index) => at("members", name, ["team", "members", index])),
    ...(team?.supervisor === undefined ? [] : [at("supervisor", team.supervisor, ["team", "supervisor"])]),
    ...keys.agents.map((name, index) => at("agents", name, ["agents", index])),
    ...keys.handoff_targets.map((name, index) => at("handoff_targets", name, ["handoff_targets", index])),
    ...keys.collaborations.map((each, index) => neighbour("collaborations", each, ["collaborations", index])),
    ...bodyCollaborations.map(
      ({ name, specialty, span }): Reference => ({
        kind: "collaborations",
        name,
        specialty,
        place: placeIn(file.source, span),
      }),
    ),
  ];
  // One without a name was reported as a missing field.
  return references.filter(({ name }) => name !== "");
}

/** The agents that judge what comes in or goes out. */
function listGuardAgents({ guards }: AgentKeys): { readonly name: string; readonly path: Path }[] {
  return (["input", "output"] as const).flatMap((side) =>
    (guards?.[side] ?? []).flatMap((guard, index) =>
      typeof guard === "string" || guard.agent === undefined
        ? []
        : { name: guard.agent, path: ["guards", side, index, "agent"] },
    ),
  );
}

/** The agent that this one hands off to, as written. */
export function findHandoff({ references }: { readonly references: readonly Reference[] }): Reference | undefined {
  return references.find(({ kind }) => kind === "handoff");
}

/** Whether a reference is a path to a file rather than an id; `CI/CD` is a name. */
export function isPathReference(name: string): boolean {
  return /^\.{0,2}\//.test(name) || hasAgentExtension(name);
}

/** Whom a router may choose, in either spelling. */
export function listDestinations({ router }: Pick<AgentKeys, "router">): readonly NeighbourKeys[] {
  return isShortRouter(router) ? router : (router?.destinations ?? []);
}

/** Where they stand in the agent's file. */
export function pathOfDestinations({ router }: Pick<AgentKeys, "router">): Path {
  return isShortRouter(router) ? ["router"] : ["router", "destinations"];
}

function isShortRouter(router: AgentKeys["router"]): router is readonly NeighbourKeys[] {
  return Array.isArray(router);
}

type NeighbourKeys = AgentKeys["collaborations"][number];

/** The name in either spelling of a destination or collaboration. */
export function neighbourName(keys: NeighbourKeys): string {
  return typeof keys === "string" ? keys : (keys.agent ?? "");
}

function handoffReference(file: Located, handoff: NonNullable<AgentKeys["handoff"]>): Reference {
  const isShort = typeof handoff === "string";
  const place = placeOfValue(file, isShort ? ["handoff"] : ["handoff", "to"]);
  return { kind: "handoff", name: isShort ? handoff : (handoff.to ?? ""), place };
}
