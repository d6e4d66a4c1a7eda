import type { Crew } from "../vocabulary/crew.ts";
import type { Exchange } from "./exchange.ts";

/** The state of a conversation, in the form that other programs read. */
export interface ConversationState {
  readonly current_agent: string;
  readonly session_start: string;
  readonly handoff_chain: readonly {
    readonly from: string;
    readonly to: string;
    readonly reason: string;
    readonly timestamp: string;
  }[];
  readonly context: { readonly original_query: string; readonly previous_work: string | null };
  readonly handoffs_enabled: boolean;
  readonly version: string;
  readonly domain: string | null;
  readonly last_classification_confidence: number | null;
}

/** The version of this form. Other programs had the form before Baton did. */
const VERSION = "1.4";

/** Folds the runs of a conversation, oldest first, into its state. The result is undefined if there are no runs yet. */
export function buildConversationState(exchanges: readonly Exchange[], crew: Crew): ConversationState | undefined {
  const [first] = exchanges;
  if (first === undefined) return undefined;
  const current = findHolder(exchanges) ?? findEntry(crew);
  const agent = crew.agents.get(current);
  return {
    current_agent: current,
    session_start: first.result.startedAt,
    handoff_chain: exchanges.flatMap(({ result }) =>
      result.handoffChain.map(({ from, to, reason, timestamp }) => ({ from, to, reason, timestamp })),
    ),
    context: {
      original_query: first.input,
      previous_work: findLatestWork(exchanges, crew.settings.handoffContextChars),
    },
    handoffs_enabled: crew.settings.handoffsEnabled,
    version: VERSION,
    domain: agent?.domain ?? agent?.specialties[0] ?? null,
    last_classification_confidence:
      exchanges.findLast(({ confidence }) => confidence !== undefined)?.confidence ?? null,
  };
}

/** The agent that has the conversation is the last one that spoke or was about to speak. */
function findHolder(exchanges: readonly Exchange[]): string | undefined {
  return exchanges.findLast(({ holder }) => holder !== undefined)?.holder?.agent;
}

/** The agent that begins, or the first one if the crew leaves that open. */
export function findEntry({ entryPoint, listed }: Crew): string {
  return entryPoint.type === "agent" ? entryPoint.agent : (listed[0] ?? "");
}

/** The newest answer. A long one is cut at the front and marked with `...`, as handoffs cut it. */
function findLatestWork(exchanges: readonly Exchange[], limit: number): string | null {
  const text = exchanges.findLast(({ result }) => result.output !== "")?.result.output;
  if (text === undefined) return null;
  return text.length <= limit ? text : `...${text.slice(text.length - limit)}`;
}
