import type { EventOf } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, quoteEnd, quoteEvent, type Scene } from "../scene.ts";
import type { Invocation } from "../story.ts";

/** Finds answers that were cut off at the length limit, stopped by a content filter, or empty. */
export const findIncompleteAnswers: Detector = (scene) => [
  ...scene.story.invocations.flatMap(findTruncated),
  ...findRefused(scene, "filtered"),
  ...findRefused(scene, "empty"),
];

function findTruncated(invocation: Invocation): Found[] {
  const { replies, end, speaker } = invocation;
  const cut = replies.filter(({ data }) => data.finish === "length");
  const [first] = cut;
  if (first === undefined || end === undefined) return [];
  const stays = replies.at(-1)?.data.finish === "length";
  const hasFailed = end.type === "agent.failed";
  return [
    {
      code: "truncated-answer",
      severity: hasFailed && stays ? "high" : stays ? "medium" : "low",
      confidence: "certain",
      title: stays
        ? `the answer of ${speaker} was cut off at its length limit`
        : `the answer of ${speaker} was cut off and completed in a second call`,
      agents: [speaker],
      evidence: [
        ...cut.map((reply) => quoteEvent(reply, reply.data.text.slice(-160))),
        ...(stays ? [quoteEnd(invocation)] : []),
      ],
      why: stays
        ? "The model reached the most tokens it may write; what it meant to say after that is missing."
        : "The model reached the most tokens it may write, and was asked to go on. That costs a call each time.",
      where: locateAgentKey(invocation, "max_output_tokens"),
      advice: "raise 'max_output_tokens', or tell the agent to be brief",
    },
  ];
}

const kinds = {
  filtered: {
    code: "filtered-answer",
    what: "was stopped by the provider's content filter",
    advice: "change what the prompt asks for, or add a model of another provider after it in 'models'",
  },
  empty: {
    code: "empty-answer",
    what: "was empty",
    advice: "say in the prompt what to answer when there is nothing to say; add another model after it in 'models'",
  },
} as const;

/** Attempts without an answer, by agent. */
function findRefused({ story }: Scene, kind: keyof typeof kinds): Found[] {
  const { code, what, advice } = kinds[kind];
  const failures = story.events.filter(
    (event): event is EventOf<"model.failed"> => event.type === "model.failed" && event.data.code === kind,
  );
  return [...Map.groupBy(failures, nameSpeaker)].flatMap(([speaker, all]): Found[] => {
    const [first] = all;
    if (first === undefined) return [];
    const isLost = story.events.some((event) => event.type === "agent.failed" && nameSpeaker(event) === speaker);
    const isUsedUp = all.some(({ data }) => data.message.startsWith("all tokens were used up"));
    const times = all.length === 1 ? "once" : `${all.length} times`;
    return [
      {
        code,
        severity: isLost ? "high" : "low",
        confidence: "certain",
        title: `the answer of ${speaker} ${what}${isLost ? ", and no other came" : ""}`,
        agents: [speaker],
        evidence: all.map((event) => quoteEvent(event, `${event.data.model}: ${event.data.message}`)),
        why: `That happened ${times}: ${first.data.model}: ${first.data.message}.`,
        where: locateAgentKey(first, isUsedUp ? "max_output_tokens" : "models"),
        advice: isUsedUp ? "raise 'max_output_tokens': thinking counts, too" : advice,
      },
    ];
  });
}
