import { type Figures, Tally } from "../views/figures.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import type { Found } from "./finding.ts";
import { locateCrewKey, quoteEvent } from "./scene.ts";
import type { Story } from "./story.ts";

/** Where a run's tokens and dollars went. */
export interface Burnt {
  readonly total: Figures;
  /** By agent, the one that took most first; the share is null where nobody knows it. */
  readonly agents: readonly { readonly agent: string; readonly figures: Figures; readonly share: number | null }[];
  /** What failed attempts took. */
  readonly failed: Figures;
  /** What was spent on steps that findings say were repeated. */
  readonly repeated: Figures;
}

/** Adds up what a run took, by agent and by whether it led to anything. */
export function measureBurnt({ events }: Story, found: readonly Found[]): Burnt {
  const turns = findWastedTurns(events, new Set(found.flatMap(({ wasted = [] }) => wasted)));
  const byAgent = new Map<string, Tally>();
  const [total, failed, repeated] = [new Tally(), new Tally(), new Tally()];
  for (const event of events) {
    if (event.type !== "model.completed" && event.type !== "model.failed") continue;
    const turn = getParentPath(event.path);
    total.count(event);
    byAgent.set(nameSpeaker(event), (byAgent.get(nameSpeaker(event)) ?? new Tally()).count(event));
    if (event.type === "model.failed") failed.count(event);
    else if (turns.has(turn) || turns.has(getParentPath(turn))) repeated.count(event);
  }
  const agents = [...byAgent].map(([agent, figures]) => ({ agent, figures, share: computeShare(figures, total) }));
  return { total, agents: agents.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0)), failed, repeated };
}

/** The places of invocations and turns that end in what was wasted. */
function findWastedTurns(events: readonly BatonEvent[], wasted: ReadonlySet<number>): Set<string> {
  return new Set(
    events.flatMap(({ seq, type, path }) => {
      if (seq === undefined || !wasted.has(seq)) return [];
      return type === "tool.called" ? [getParentPath(path)] : [path];
    }),
  );
}

function getParentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A part in dollars, or in tokens where the dollars are unknown or nothing; null where the tokens are unknown too. */
export function computeShare(part: Figures, whole: Figures): number | null {
  const { usd } = whole.cost;
  if (usd !== null && usd > 0 && part.cost.usd !== null) return part.cost.usd / usd;
  const [some, all] = [part.usage.total, whole.usage.total];
  if (some === null || all === null) return null;
  return all === 0 ? 0 : some / all;
}

/** So much of a run for nothing is worth a word. */
const MUCH = 0.25;

/** A run of which a good part was spent for nothing. */
export function findBurntBudget(story: Story, burnt: Burnt): Found[] {
  const [failed, repeated] = [computeShare(burnt.failed, burnt.total), computeShare(burnt.repeated, burnt.total)];
  if (failed === null || repeated === null) return [];
  const waste = failed + repeated;
  const [dearest] = burnt.agents;
  const [started] = story.events;
  if (waste < MUCH || dearest === undefined || started === undefined) return [];
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  return [
    {
      code: "burnt-budget",
      severity: "medium",
      confidence: "certain",
      title: `${percent(waste)} of what the run took led to nothing`,
      agents: burnt.agents.slice(0, 3).map(({ agent }) => agent),
      evidence: [
        quoteEvent(
          story.events.at(-1) ?? started,
          `${formatAmount(burnt.total.calls, "call")}, ${describeTokens(burnt.total.usage.total)}`,
        ),
      ],
      why: `Failed attempts took ${percent(failed)}, repeated steps ${percent(repeated)}; most of all was taken by ${dearest.agent}${dearest.share === null ? "" : ` (${percent(dearest.share)})`}.`,
      where: locateCrewKey(undefined, "settings", "quotas"),
      advice: "mend what the other findings say first; 'quotas' bound what is left",
    },
  ];
}

function describeTokens(count: number | null): string {
  return count === null ? "an unknown number of tokens" : formatAmount(count, "token");
}
