import type { Link, SpanContext } from "@opentelemetry/api";
import type { BatonEvent } from "../vocabulary/events.ts";

interface HandOver {
  readonly sources: readonly SpanContext[];
  /** The round that received the work, once it has begun. */
  round: string | undefined;
}

const none: readonly SpanContext[] = [];

/** Tracks who handed work to whom: the span of an agent or a called crew links to the spans that its work came from. */
export class HandOvers {
  /** The spans of agents and called crews, by place. */
  readonly #spans = new Map<string, SpanContext>();
  /** The newest span of each branch, by the place of the group. */
  readonly #branches = new Map<string, Map<string, SpanContext>>();
  /** The last handoff in each crew, by the crew's place. */
  readonly #handed = new Map<string, HandOver>();

  /** The links of a span that begins at a place. A crew that is called again has the same links as at its first call. */
  linksOf(path: string, type: BatonEvent["type"]): Link[] {
    const from = type === "crew.entered" ? path.replace(/\.\d+$/, "") : path;
    return this.#sourcesOf(from).map((context) => ({ context, attributes: { "baton.link": "handoff" } }));
  }

  began(path: string, span: SpanContext): void {
    this.#spans.set(path, span);
    const { above, last } = splitPlace(path);
    const [, branch] = /^([bk]\d+)(?:\.\d+)?$/.exec(last) ?? [];
    if (branch === undefined) return;
    const branches = this.#branches.get(above) ?? new Map<string, SpanContext>();
    this.#branches.set(above, branches.set(branch, span));
  }

  see(event: BatonEvent): void {
    const { path } = event;
    if (event.type === "handoff")
      this.#handed.set(splitPlace(path).above, { sources: this.#spansAt(path), round: undefined });
    else if (event.type === "parallel.joined" || event.type === "crews.joined") {
      // Cancelled members are not part of the join.
      const letter = event.type === "crews.joined" ? "k" : "b";
      for (const [index, { status }] of event.data.outcomes.entries())
        if (status === "cancelled") this.#branches.get(path)?.delete(`${letter}${index}`);
    }
  }

  #sourcesOf(path: string): readonly SpanContext[] {
    const { above, last } = splitPlace(path);
    if (/^\d+$/.test(last)) return this.#handedTo(above, last);
    if (/^[bk]\d+$/.test(last)) return this.#sourcesOf(above);
    // A later stage of a chain within a call gets its work from the previous stage.
    const [, first, stage] = /^(.+)\.(\d+)$/.exec(last) ?? [];
    if (first === undefined) return none;
    const before = stage === "1" ? first : `${first}.${Number(stage) - 1}`;
    return this.#spansAt(above === "" ? before : `${above}/${before}`);
  }

  #handedTo(crew: string, round: string): readonly SpanContext[] {
    const handed = this.#handed.get(crew);
    if (handed === undefined || (handed.round ?? round) !== round) return none;
    handed.round = round;
    return handed.sources;
  }

  /**
   * The spans at a place: of an agent, of a crew, or of a group's members. If nobody spoke there, the work comes from the
   * previous place.
   */
  #spansAt(path: string): readonly SpanContext[] {
    const own = this.#spans.get(path);
    if (own !== undefined) return [own];
    const branches = this.#branches.get(path);
    return branches === undefined ? this.#sourcesOf(path) : [...branches.values()];
  }
}

function splitPlace(path: string): { readonly above: string; readonly last: string } {
  const at = path.lastIndexOf("/");
  return { above: path.slice(0, Math.max(0, at)), last: path.slice(at + 1) };
}
