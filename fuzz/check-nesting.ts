import type { BatonEvent, EventType } from "../src/vocabulary/events.ts";

/** What opens a part of a run, by how the paths inside it continue. */
const opening: Readonly<Record<string, EventType>> = {
  t: "agent.started",
  f: "agent.started",
  a: "tool.called",
  b: "parallel.started",
  v: "advisors.started",
  w: "team.cycle",
};

const closing: ReadonlySet<EventType> = new Set([
  "agent.completed",
  "agent.failed",
  "tool.completed",
  "tool.failed",
  "parallel.joined",
  "advisors.gathered",
]);

/** Turns happen in an agent's session, sub-agents in the call of them, members in their group: while it is open. */
export function partsAreNested(events: readonly BatonEvent[]): string[] {
  const open = new Set<string>();
  const problems: string[] = [];
  for (const event of events) {
    const outer = outerOf(event.path).find((each) => !open.has(each));
    if (outer !== undefined) problems.push(`${event.type} at ${event.path} is outside of ${outer}`);
    if (Object.values(opening).includes(event.type)) open.add(`${event.type} ${event.path}`);
    else if (closing.has(event.type)) {
      const [kind] = event.type.split(".");
      for (const opened of ["started", "called"]) open.delete(`${kind}.${opened} ${event.path}`);
    }
  }
  return problems;
}

/** What must be open for something to happen at a path, from the outermost in. */
function outerOf(path: string): string[] {
  const steps = path.split("/");
  return steps.flatMap((step, index) => {
    const type = /^[tfabvw]\d*(\.\d+)?$/.test(step) ? opening[step.charAt(0)] : undefined;
    return type === undefined ? [] : [`${type} ${steps.slice(0, index).join("/")}`];
  });
}
