import type { Composition } from "../vocabulary/event-data.ts";
import type { BatonEvent } from "../vocabulary/events.ts";

/** One call of a crew in a run: its own events, and the calls inside it. */
export interface CrewCall {
  readonly name: string;
  readonly path: string;
  readonly composed: Composition | undefined;
  readonly events: BatonEvent[];
  readonly calls: CrewCall[];
}

/** Splits a run into the calls of crews, as a tree. The root is the run's own crew. */
export function buildCallTree(events: readonly BatonEvent[]): CrewCall {
  const root: CrewCall = { name: "", path: "", composed: undefined, events: [], calls: [] };
  const byPath = new Map([["", root]]);
  for (const event of events) {
    const { type, path } = event;
    if (type === "crew.entered") {
      const { crew: name, composed } = event.data;
      const call: CrewCall = { name, path, composed, events: [], calls: [] };
      findEnclosing(path.slice(0, Math.max(0, path.lastIndexOf("/"))), byPath).calls.push(call);
      byPath.set(path, call);
    } else findEnclosing(path, byPath).events.push(event);
  }
  return root;
}

/** Whether a place is the other place, or below it. */
export function isAt(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

function findEnclosing(path: string, byPath: ReadonlyMap<string, CrewCall>): CrewCall {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const call = byPath.get(at);
    if (call !== undefined) return call;
    if (at === "") throw new Error("a run has an outermost crew");
  }
}
