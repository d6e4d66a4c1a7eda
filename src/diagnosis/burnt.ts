import { type Figures, Tally } from "../views/figures.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import type { Found } from "./finding.ts";
import { locateCrewKey, quoteEvent } from "./scene.ts";
import type { Story } from "./story.ts";

/** Where the tokens and dollars of a run went. */
export interface Burnt {
  readonly total: Figures;
  /** By agent, the most expensive first. The share is null if it is unknown. */
  readonly agents: readonly { readonly agent: string; readonly figures: Figures; readonly share: number | null }[];
  /** What failed attempts cost. */
  readonly failed: Figures;
  /** What steps cost that findings call repeated. */
  readonly repeated: Figures;
}

/** Sums up the figures of a run, by agent and by whether they led to anything. */
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

/** The places of the invocations and turns that ended in waste. */
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

/** The share of a part, in dollars; in tokens if the dollars are unknown or 0; null if the tokens are unknown too. */
export function computeShare(part: Figures, whole: Figures): number | null {
  const { usd } = whole.cost;
  if (usd !== null && usd > 0 && part.cost.usd !== null) return part.cost.usd / usd;
  const [some, all] = [part.usage.total, whole.usage.total];
  if (some === null || all === null) return null;
  return all === 0 ? 0 : some / all;
}

/** A smaller share of waste is not reported. */
const MUCH = 0.25;

/** Finds out whether a large share of a run was wasted. */
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
