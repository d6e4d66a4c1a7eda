import type { Agent, Crew } from "../../vocabulary/crew.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, quoteEnd, quoteEvent, type Scene } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";

/**
 * Finds agents that say one thing and do another: they name one agent and hand off to another, or give one verdict and signal
 * another.
 */
export const findMismatches: Detector = (scene) =>
  scene.story.invocations.flatMap((invocation) => {
    const crew = scene.findCrew(invocation.crew);
    if (crew === undefined) return [];
    const words = readReasoning(invocation);
    return (
      findOtherTarget(invocation, words, crew) ??
      findOtherVerdict(invocation, words, crew) ??
      findOtherTool(invocation, scene) ??
      []
    );
  });

/** The text and the reasoning of the reply that ended the invocation. */
function readReasoning(invocation: Invocation): string {
  const last = invocation.replies.at(-1)?.data;
  return `${last?.reasoning ?? ""}\n${last?.text ?? getAnswer(invocation)}`
    .slice(-8000)
    .replace(/\[[^\]\n]{1,66}\]/g, " ");
}

const PASSING =
  /\b(?:hand(?:ing)?|transfer(?:ring)?|rout(?:e|ing)|pass(?:ing)?|send(?:ing)?|forward(?:ing)?|delegat(?:e|ing)|escalat(?:e|ing)|refer(?:ring)?)\b[^.?!\n]{0,60}?\bto (?:the )?([\p{L}\p{N}_' -]{1,60})/giu;

function findOtherTarget(invocation: Invocation, words: string, crew: Crew): Found[] | undefined {
  if (invocation.left?.type !== "handoff" || invocation.left.data.via === "fallback") return undefined;
  const { to, via } = invocation.left.data;
  for (const [said, after = ""] of words.matchAll(PASSING)) {
    const named = findNamedAgent(after, crew);
    if (named === undefined || named.id === to || named.id === invocation.agent || mentions(words, to, crew)) continue;
    return [
      {
        ...describeMismatch(invocation, `says ${named.id} and hands off to ${to}`),
        evidence: [
          quoteEnd(invocation, said),
          quoteEvent(invocation.left, `${invocation.agent} → ${to} (${invocation.left.data.reason})`),
        ],
        why: `In its own words the work goes to ${named.id}; its ${via === "signal" ? "signal" : "choice"} sent it to ${to}.`,
        where: via === "router" ? locateAgentKey(invocation, "router") : locateAgentKey(invocation, "system_prompt"),
        advice: `say in its prompt which ${via === "signal" ? "signal" : "destination"} stands for ${named.id}, and which for ${to}`,
      },
    ];
  }
  return undefined;
}

/** Finds the agent whose name the text begins with. The longest name wins. */
function findNamedAgent(text: string, crew: Crew): Agent | undefined {
  const said = simplify(text);
  return [...crew.agents.values()]
    .filter(({ id, name }) =>
      [id, name ?? ""].some((each) => each !== "" && `${said} `.startsWith(`${simplify(each)} `)),
    )
    .toSorted((a, b) => b.id.length - a.id.length)[0];
}

/** Whether the text also names the agent that got the work. */
function mentions(words: string, id: string, crew: Crew): boolean {
  const said = ` ${simplify(words)} `;
  return [id, crew.agents.get(id)?.name ?? ""].some((each) => each !== "" && said.includes(` ${simplify(each)} `));
}

function simplify(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** `I approve this. [REJECT]`, if the agent can signal both. */
function findOtherVerdict(invocation: Invocation, words: string, crew: Crew): Found[] | undefined {
  const bindings = crew.bindings.get(invocation.agent) ?? [];
  const [emitted] = invocation.signals;
  if (emitted === undefined || invocation.signals.length > 1) return undefined;
  const own = findStem(emitted.data.signal);
  for (const { signal } of bindings) {
    const stem = findStem(signal);
    if (signal === emitted.data.signal || stem === undefined || own === undefined) continue;
    const claim = findClaim(words, stem);
    if (claim === undefined || findClaim(words, own) !== undefined) continue;
    return [
      {
        ...describeMismatch(invocation, `says '${claim}' and emits ${emitted.data.signal}`),
        evidence: [quoteEnd(invocation), quoteEvent(emitted, emitted.data.token)],
        why: `Its words fit ${signal}, which it may emit; it emitted ${emitted.data.signal}.`,
        where: locateAgentKey(invocation, "system_prompt"),
        advice: `say in its prompt what ${signal} and ${emitted.data.signal} mean, or set 'emit: tool'`,
      },
    ];
  }
  return undefined;
}

/** The stem of a signal of one word, which all forms of the word share. */
function findStem(signal: string): string | undefined {
  const word = signal.slice(1, -1).toLowerCase();
  if (!/^\p{L}{4,20}$/u.test(word)) return undefined;
  return word.replace(/(?:ed|e|d|s)$/u, "");
}

/** Finds a verdict in the words of a signal, unless it is denied. */
function findClaim(words: string, stem: string): string | undefined {
  const claim = new RegExp(
    `\\b(?:i|we|verdict|decision|result|conclusion|therefore|so|is|are)(?:'m|'ll|:| will| am| have| hereby| must| can| fully| clearly|,)*\\s+(?:${stem}\\w{0,4})\\b`,
    "iu",
  ).exec(words);
  return claim?.[0].replace(/\s+/g, " ");
}

const USING =
  /\b(?:i will|i'll|let me|going to|i am|i'm|now)\b[^.?!\n]{0,20}?\b(?:call(?:ing)?|us(?:e|ing)|run(?:ning)?|invok(?:e|ing))\b (?:the )?(?:tool )?['"`]?([\w-]{2,64})/giu;

/** The agent announces one of its tools and calls another. */
function findOtherTool(invocation: Invocation, { findAgent }: Scene): Found[] | undefined {
  const tools = findAgent(invocation)?.tools ?? [];
  for (const reply of invocation.replies) {
    const called = reply.data.toolCalls.map(({ name }) => name);
    if (called.length === 0) continue;
    for (const [said, tool = ""] of reply.data.text.slice(0, 8000).matchAll(USING)) {
      if (!tools.includes(tool) || called.includes(tool) || called.every((name) => reply.data.text.includes(name)))
        continue;
      return [
        {
          ...describeMismatch(invocation, `says ${tool} and calls ${called.join(", ")}`),
          evidence: [quoteEvent(reply, said), quoteEvent(reply, `calls ${called.join(", ")}`)],
          why: `It announced ${tool}, which it has, and called ${called.join(", ")} in the same reply.`,
          where: locateAgentKey(invocation, "tools"),
          advice: `make the descriptions of ${tool} and ${called[0]} easier to tell apart`,
        },
      ];
    }
  }
  return undefined;
}

function describeMismatch(invocation: Invocation, what: string) {
  return {
    code: "said-and-did",
    severity: "medium",
    confidence: "likely",
    title: `${invocation.speaker} ${what}`,
    agents: [invocation.speaker],
  } as const;
}
