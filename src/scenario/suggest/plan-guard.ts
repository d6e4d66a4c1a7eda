import type { Ability, GuardOutcome } from "../../flow/coverage/coverage-item.ts";
import { type DeclaredGuard, listGuards } from "../../flow/coverage/list-guards.ts";
import { findShortestWay, type Way } from "../../flow/coverage/shortest-way.ts";
import type { Stop } from "../../flow/transitions.ts";
import { nameVerdict, type Plan } from "./scenario-plan.ts";
import { writeTripWords } from "./trip-words.ts";
import { findSpeaker, type Reply, writeAnswer } from "./write-reply.ts";

/** Plans a run in which a guard lets a text pass or trips; false if no words are known that would do that. */
export function planGuard(plan: Plan, { agent, on, guard, outcome }: Extract<Ability, { kind: "guard" }>): boolean {
  const declared = listGuards(plan.crew, agent, on).find(({ label }) => label === guard);
  if (declared === undefined) return false;
  const way = findWay(plan, declared);
  if (way === undefined) return false;
  plan.follow(way);
  const isJudged = declared.guard.check.type === "agent";
  if (isJudged) plan.verdicts.set(nameVerdict(declared), writeVerdict(outcome));
  if (isJudged || outcome === "passed") return answerPlainly(plan, declared, way);
  const words = writeTripWords(declared.guard.check);
  return words !== undefined && giveWords(plan, declared, way, words);
}

/** The way to where the text comes up that the guard judges. */
function findWay({ crew, map }: Plan, { agent, on }: DeclaredGuard): Way | undefined {
  const find = (isGoal: (stop: Stop) => boolean) => findShortestWay(crew, map, isGoal);
  if (agent === undefined) return on === "input" ? find(() => true) : find(({ type }) => type === "end");
  const speaks = (stop: Stop) => stop.type === "agent" && stop.agent === agent;
  return find((stop) => speaks(stop) && stop.type === "agent" && stop.standing !== "called") ?? find(speaks);
}

/** A signal after an answer could trip the guards before. */
function answerPlainly(plan: Plan, { agent: id = "", on }: DeclaredGuard, { end }: Way): boolean {
  const agent = plan.crew.agents.get(id);
  if (agent !== undefined && on === "output" && end.type === "agent") plan.say(id, end.standing, writeAnswer(agent));
  return true;
}

function giveWords(plan: Plan, { agent, on }: DeclaredGuard, { steps, end }: Way, words: string): boolean {
  if (on === "output" && agent !== undefined && end.type === "agent") {
    plan.say(agent, end.standing, { text: words });
    return true;
  }
  const speaking = on === "input" && agent === undefined ? [] : steps;
  const last = speaking.findLast((step) => findSpeaker(plan.crew, step) !== undefined);
  if (last === undefined || last.at.type !== "agent") {
    plan.input = plan.crew.entryPoint.type === "auto" ? `${words} ${plan.input}` : words;
    return true;
  }
  const lines = plan.replies.get(last.at.agent);
  const said = last.at.standing === "called" ? lines?.called : lines?.line;
  const reply = said?.pop();
  if (reply !== undefined) said?.push(addWords(reply, words));
  return reply !== undefined;
}

/** What the next agent gets to read is a reply's text, or what a call of a tool passes on. */
function addWords(reply: Reply, words: string): Reply {
  const { text, tools } = reply;
  if (!Array.isArray(tools)) return { ...reply, text: typeof text === "string" ? `${words}\n${text}` : words };
  const passing = tools.map(({ name, args }: { name: string; args: Readonly<Record<string, unknown>> }) =>
    "prompt" in args ? { name, args: { ...args, prompt: words } } : { name, args },
  );
  return { ...reply, text: typeof text === "string" ? `${words}\n${text}` : words, tools: passing };
}

/** What the agent that judges says. */
function writeVerdict(outcome: GuardOutcome): Reply {
  if (outcome === "passed") return { text: JSON.stringify({ verdict: "pass" }) };
  const verdict = outcome === "tripped" ? "block" : outcome;
  const text = outcome === "rewrite" ? { text: "TODO: the text in its place" } : {};
  return { text: JSON.stringify({ verdict, reason: "TODO: why", ...text }) };
}
