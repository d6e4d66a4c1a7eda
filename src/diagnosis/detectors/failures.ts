import type { EventOf } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEvent, type Scene } from "../scene.ts";

/** Finds failures around the agents: of models, tools, webhooks, and members of groups, crews and teams. */
export const findFailures: Detector = (scene) => [
  ...findFailedModels(scene),
  ...findFailedTools(scene),
  ...findFailedBranches(scene),
  ...findUndelivered(scene),
];

/** Cancelled work is not a failure of its own. Filtered and empty answers have findings of their own. */
const told: ReadonlySet<string> = new Set(["cancelled", "filtered", "empty"]);

function findFailedModels({ story }: Scene): Found[] {
  const failures = story.events.filter(
    (event): event is EventOf<"model.failed"> => event.type === "model.failed" && !told.has(event.data.code),
  );
  const ended = new Set(
    story.events.flatMap((event) =>
      event.type === "agent.failed" && event.data.code === "model_failed" ? [nameSpeaker(event)] : [],
    ),
  );
  return [...Map.groupBy(failures, nameSpeaker)].flatMap(([speaker, all]): Found[] => {
    const [first] = all;
    if (first === undefined) return [];
    const isLost = ended.has(speaker);
    const models = [...new Set(all.map(({ data }) => data.model))].join(", ");
    return [
      {
        code: "model-failed",
        severity: isLost ? "high" : "low",
        confidence: "certain",
        title: isLost ? `the model of ${speaker} failed` : `the model of ${speaker} failed and was tried again`,
        agents: [speaker],
        evidence: all.map((event) => quoteEvent(event, `${event.data.model}: ${event.data.message}`)),
        why: `${all.length} of its calls failed (${models}: ${[...new Set(all.map(({ data }) => data.code))].join(", ")})${isLost ? ", and it has no other model to try" : ""}.`,
        where: locateAgentKey(first, "models"),
        advice: isLost
          ? "add another model after it in 'models', or raise 'max_retries'"
          : "nothing, unless it happens often",
      },
    ];
  });
}

function findFailedTools({ story }: Scene): Found[] {
  const failures = story.events.filter(
    (event): event is EventOf<"tool.failed"> =>
      event.type === "tool.failed" &&
      !/^(?:there is no |not called)/.test(event.data.message) &&
      !event.data.tool.startsWith("transfer_to_"),
  );
  return [...Map.groupBy(failures, ({ data }) => data.tool)].flatMap(([tool, all]): Found[] => {
    const [first] = all;
    if (first === undefined) return [];
    const agents = [...new Set(all.map(nameSpeaker))];
    return [
      {
        code: "tool-failed",
        severity: all.length > 2 ? "medium" : "low",
        confidence: "certain",
        title: `${tool} failed${all.length === 1 ? "" : ` ${all.length} times`}`,
        agents,
        evidence: all.map((event) => quoteEvent(event, event.data.message)),
        why: `${agents.join(", ")} called it and got: ${first.data.message.slice(0, 120)}`,
        where: locateAgentKey(first, "tools"),
        advice: `check the code of ${tool}; say in its description which arguments it takes`,
      },
    ];
  });
}

function findUndelivered({ story }: Scene): Found[] {
  return story.events.flatMap((event): Found[] => {
    if (event.type !== "external.delivered" || event.data.failures.length === 0) return [];
    const { signal, failures } = event.data;
    return [
      {
        code: "not-delivered",
        severity: "medium",
        confidence: "certain",
        title: `the external signal ${signal} did not reach everybody`,
        agents: [nameSpeaker(event)],
        evidence: [quoteEvent(event, failures.join("; "))],
        why: `${nameSpeaker(event)} emitted it, and ${failures.join("; ")}.`,
        where: locateCrewKey(event.crew, "settings", "external", "webhook"),
        advice: "see whether the receiver is up and takes the post, then send what it missed",
      },
    ];
  });
}

function findFailedBranches({ story }: Scene): Found[] {
  return story.events.flatMap((event): Found[] => {
    const isJoin =
      event.type === "parallel.joined" || event.type === "advisors.gathered" || event.type === "crews.joined";
    return isJoin ? findMissingBranches(event) : [];
  });
}

type Join = EventOf<"parallel.joined"> | EventOf<"advisors.gathered"> | EventOf<"crews.joined">;

function findMissingBranches(event: Join): Found[] {
  const { outcomes } = event.data;
  const lost = outcomes.filter(({ status }) => status === "failed" || status === "late");
  if (lost.length === 0) return [];
  const names = lost.map(({ member }) => member);
  const isLate = lost.every(({ status }) => status === "late");
  const emptyGroup = event.type === "parallel.joined" && lost.length === outcomes.length ? event.data.group : undefined;
  const followed =
    emptyGroup === undefined
      ? `and the run went on without ${lost.length === 1 ? "it" : "them"}`
      : `so group ${emptyGroup} has no result`;
  const whyFailed = `see why they failed${emptyGroup === undefined ? "; or let the run wait for enough of them with 'min_success'" : ""}`;
  return [
    {
      code: "branch-failed",
      severity: emptyGroup === undefined ? "medium" : "high",
      confidence: "certain",
      title: `${names.join(", ")} gave nothing`,
      agents: names,
      evidence: lost.map(({ member, status, text }) => quoteEvent(event, `${member} ${status}: ${text}`)),
      why: `${lost.length} of ${outcomes.length} ${isLate ? "were not ready in time" : "failed"}, ${followed}.`,
      where: measureTime(event),
      advice: isLate ? "give them more time, or less to do" : whyFailed,
    },
  ];
}

function measureTime(event: Join) {
  if (event.type === "parallel.joined")
    return locateCrewKey(event.crew, "routing", "parallel_groups", event.data.group, "timeout_seconds");
  if (event.type === "advisors.gathered") return locateAgentKey(event, "advisor_timeout");
  return locateCrewKey(event.crew, "settings", "sub_crew_timeout_seconds");
}
