import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent, EventOf } from "../src/vocabulary/events.ts";
import { eventsOfType } from "./events-of-type.ts";
import { isPaused, pair } from "./pair-events.ts";

/** Groups are joined when they are due, with what their members gave. */
export function checkGroups(events: readonly BatonEvent[], crew: Crew): string[] {
  return [...groupsAreJoined(events, crew), ...itemsAreLimited(events, crew)];
}

function groupsAreJoined(events: readonly BatonEvent[], crew: Crew): string[] {
  const { problems, open } = pair(events, new Set(["parallel.started"]), new Set(["parallel.joined"]));
  const last = events.at(-1);
  const isClosed =
    isPaused(events) ||
    last?.type === "run.cancelled" ||
    (last?.type === "run.failed" && (last.data.stopReason === "timeout" || last.data.stopReason === "quota"));
  const unjoined = isClosed ? [] : open.map(({ path }) => `the group at ${path} is never joined`);
  return [
    ...problems,
    ...unjoined,
    ...eventsOfType(events, "parallel.joined").flatMap((each) => joinFits(each, events, crew)),
  ];
}

/** A join says of each member what its own events say, and was not made before it was due. */
function joinFits({ path, data }: EventOf<"parallel.joined">, events: readonly BatonEvent[], crew: Crew): string[] {
  const members = data.outcomes.map(({ member }) => member);
  // Transfers of one answer are a group that is known by its members, and waited for.
  const transfers = { agents: members, waitForAll: true, minSuccess: undefined, forEach: undefined };
  const group = crew.groups.get(data.group) ?? (data.group === members.join("+") ? transfers : undefined);
  const isOfGroup =
    group?.forEach === undefined
      ? members.join() === group?.agents.join()
      : members.length <= group.forEach.maxItems && members.every((member) => member === group.agents[0]);
  if (group === undefined || !isOfGroup) return [`the join at ${path} has other members`];
  const isLate = events.some((event) => event.type === "deadline.passed" && event.path === `${path}/deadline`);
  const successes = data.outcomes.filter(({ status }) => status === "completed").length;
  const isDone = data.outcomes.every(({ status }) => status === "completed" || status === "failed");
  const isEnough = !group.waitForAll && successes >= (group.minSuccess ?? 1);
  // Within a call, a group ends with it: those that were still at work are cancelled.
  const isCutShort = path.includes("/") && data.outcomes.some(({ status }) => status === "cancelled");
  const wrong = data.outcomes.flatMap(({ member, status, text }, index) => {
    // A member whose patterns work for it may be cut short where none of its own events says so.
    const { handoff, router, advisors = [], collaborations = [], team } = crew.agents.get(member) ?? {};
    if (handoff !== undefined || router !== undefined || team !== undefined) return [];
    if (advisors.length + collaborations.length > 0) return [];
    const end = events.find(
      (event) =>
        event.path === `${path}/b${index}` && (event.type === "agent.completed" || event.type === "agent.failed"),
    );
    // An item may not have begun when the group ended.
    const isCancelled = end === undefined || (end.type === "agent.failed" && end.data.code === "cancelled");
    const actual =
      end?.type === "agent.completed" ? "completed" : isCancelled ? (isLate ? "late" : "cancelled") : "failed";
    return saysTheSame(end, actual, status, text)
      ? []
      : [`member ${member} of the join at ${path} is ${status}, but was ${actual}`];
  });
  return [...wrong, ...(isLate || isDone || isEnough || isCutShort ? [] : [`the join at ${path} came too early`])];
}

/** An empty answer is no success; signals that were taken out of it make it one. */
function saysTheSame(end: BatonEvent | undefined, actual: string, status: string, text: string): boolean {
  if (end?.type !== "agent.completed") return actual === status;
  return (end.data.answer.trim() === "" && status === "failed") || (actual === status && end.data.answer === text);
}

/** No more items are worked on at once than may be, and they begin in order. */
function itemsAreLimited(events: readonly BatonEvent[], crew: Crew): string[] {
  return eventsOfType(events, "parallel.started").flatMap(({ path, data }) => {
    const { forEach, agents } = crew.groups.get(data.group) ?? {};
    const { handoff, router, team, advisors } = crew.agents.get(agents?.[0] ?? "") ?? {};
    // Where others work for a worker, it may begin long after its item.
    const isAlone = handoff === undefined && router === undefined && team === undefined && advisors?.length === 0;
    if (forEach === undefined || !isAlone) return [];
    const own = events.filter((event) => new RegExp(`^${path}/b\\d+$`).test(event.path));
    const begun = own.filter(({ type }) => type === "agent.started");
    const indices = begun.map((event) => Number(event.path.slice(path.length + 2)));
    let [atWork, most] = [0, 0];
    for (const { type } of own) {
      if (type === "agent.started") most = Math.max(most, ++atWork);
      else if (type === "agent.completed" || type === "agent.failed") atWork--;
    }
    const { concurrency } = forEach;
    return [
      ...(most <= concurrency ? [] : [`${most} items of the group at ${path} at once, where ${concurrency} may be`]),
      ...(indices.every((index, at) => index === at) ? [] : [`the items of the group at ${path} begin out of order`]),
    ];
  });
}
