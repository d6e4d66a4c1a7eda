import type { TeamKind, TeamSoFar } from "../src/index.ts"; // "baton-agents", in a project of your own

/**
 * A team that votes. Whoever answers argues, and everybody hears it; whoever votes is done, and only the supervisor hears the reason.
 * When all have voted, what most of them want is the team's answer; where no choice has most of the votes, the supervisor decides.
 */
export const vote: TeamKind = {
  tool: {
    name: "team__vote",
    description: "Casts your vote, in secret and for good. Answer instead to argue with the others first.",
    parameters: {
      type: "object",
      properties: {
        choice: { type: "string", description: "What you vote for, in a few words." },
        reason: { type: "string", description: "Why, for the one who counts the votes." },
      },
      required: ["choice"],
      additionalProperties: false,
    },
    read({ choice, reason = "" }, { supervisor }) {
      if (typeof choice !== "string" || choice.trim() === "") return { problem: "'choice' must be text" };
      return {
        message: `votes for ${choice}. ${reason}`.trim(),
        to: [supervisor],
        isFinal: true,
        value: choice.trim(),
      };
    },
  },
  afterCycle({ members, said }) {
    if (members.length > 0) return "cycle";
    const votes = countVotes(said);
    const cast = votes.reduce((sum, { count }) => sum + count, 0);
    const most = votes.find(({ count }) => count > cast / 2);
    if (most === undefined) return "supervisor";
    const counts = votes.map(({ choice, count }) => `${choice}: ${count} of ${cast}`);
    return { answer: `${most.choice}\n\n${counts.join("\n")}` };
  },
};

/** Each choice with its votes, the most wanted first; capitals do not matter. */
function countVotes(said: TeamSoFar["said"]): { readonly choice: string; readonly count: number }[] {
  const votes = new Map<string, { readonly choice: string; readonly count: number }>();
  for (const { value } of said) {
    if (typeof value !== "string") continue;
    const key = value.toLowerCase();
    const { choice, count } = votes.get(key) ?? { choice: value, count: 0 };
    votes.set(key, { choice, count: count + 1 });
  }
  return [...votes.values()].sort((a, b) => b.count - a.count);
}
