/** A kind of team: how its members speak, who hears them, and what follows when all have spoken. Pure, as a replay asks it the same again. */
export interface TeamKind {
  /** How members speak; the supervisor always speaks by `team__broadcast`. */
  readonly tool: {
    /** Begins with `team__` where calls of it are to be shown as something said. */
    readonly name: string;
    readonly description: string;
    /** A JSON Schema. */
    readonly parameters: Readonly<Record<string, unknown>>;
    /** What a member says by calling it; a problem is told to the member, which gets another turn. */
    read(
      args: Readonly<Record<string, unknown>>,
      by: { readonly member: string; readonly supervisor: string },
    ): TeamSaid | { readonly problem: string };
  };
  /** What follows a cycle: the supervisor hears the team, the members go on without it, or this is the team's answer. */
  afterCycle(so: TeamSoFar): "supervisor" | "cycle" | { readonly answer: string };
}

/** What a member says. */
export interface TeamSaid {
  readonly message: string;
  /** Whether it leaves the team with it. */
  readonly isFinal?: boolean;
  readonly status?: "success" | "failure";
  /** Who hears it, of members and supervisor; everybody where absent. */
  readonly to?: readonly string[];
  /** What the kind itself wants to know of it later. */
  readonly value?: unknown;
}

/** A team after a cycle. */
export interface TeamSoFar {
  readonly cycle: number;
  readonly task: string;
  readonly supervisor: string;
  /** Those who are still in the team. */
  readonly members: readonly string[];
  /** All that members have said, in order. */
  readonly said: readonly (TeamSaid & { readonly member: string; readonly cycle: number })[];
}

/** The kind that teams are of unless they say otherwise: everybody hears everything, and the supervisor decides. */
export const broadcasting: TeamKind = {
  tool: {
    name: "team__broadcast",
    description: "Says something to the whole team. Ends your turn until somebody has answered.",
    parameters: {
      type: "object",
      properties: {
        message: { type: "string", description: "What everybody in the team gets to read." },
        final: { type: "boolean", description: "Whether this is your last message: you leave the team with it." },
        status: { type: "string", enum: ["success", "failure"], description: "How your part of the work went." },
      },
      required: ["message"],
      additionalProperties: false,
    },
    read: readBroadcast,
  },
  afterCycle: () => "supervisor",
};

export function readBroadcast(args: Readonly<Record<string, unknown>>): TeamSaid | { readonly problem: string } {
  const { message, final = false, status = "success" } = args;
  if (typeof message !== "string" || message.trim() === "") return { problem: "'message' must be text" };
  if (typeof final !== "boolean") return { problem: "'final' must be true or false" };
  if (status !== "success" && status !== "failure") return { problem: "'status' must be 'success' or 'failure'" };
  return { message, isFinal: final, status };
}
