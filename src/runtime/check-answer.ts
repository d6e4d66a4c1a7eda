import type { World } from "../orchestration/crew-run.ts";
import { readRaise } from "../run/quota-caps.ts";
import { findAgentCrew } from "../views/find-agent-crew.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { findJsonProblem } from "../vocabulary/find-json-problem.ts";
import type { Paused, ResumeAnswer } from "../vocabulary/pause.ts";
import { MAX_TOLD_KB, sizeProblem } from "./check-input.ts";

/** Refuses an answer that does not fit the pause, before any of it is stored. */
export function checkAnswer(paused: Paused, answer: ResumeAnswer, crew: Crew): void {
  const problem = findAnswerProblem(paused, answer, crew);
  if (problem !== undefined) throw new BatonError("bad-answer", problem);
}

/** Says why an answer does not fit the pause; undefined if it does. */
export function findAnswerProblem(paused: Paused, answer: ResumeAnswer, crew: Crew): string | undefined {
  return findProblem(paused, answer, crew) ?? unusedIn(paused, answer) ?? notWritable(answer);
}

/** Refuses edited arguments that the tool does not take. Only the tool itself can judge them. */
export async function refuseUnfitArguments(
  paused: BatonEvent | undefined,
  answer: BatonEvent | undefined,
  crew: Crew,
  toolOf: World["tool"],
): Promise<void> {
  if (paused?.type !== "run.paused" || paused.data.tool === undefined) return;
  if (answer?.type !== "run.resumed" || answer.data.decision !== "edit") return;
  const { agent, tool } = paused.data;
  const read = await toolOf(tool, findAgentCrew(agent, crew)).read(answer.data.args);
  if ("problem" in read) throw new BatonError("bad-answer", `these arguments do not fit ${tool}: ${read.problem}`);
}

/** The journal stores JSON, so everything else is refused before the run continues. */
function notWritable(answer: ResumeAnswer): string | undefined {
  const problem = findJsonProblem(answer, "answer");
  return problem && `${problem}, which is not JSON`;
}

function findProblem(paused: Paused, answer: ResumeAnswer, crew: Crew): string | undefined {
  if (typeof answer !== "object" || answer === null) return 'an answer must be an object such as { input: "yes" }';
  if (answer.by !== undefined) return "'by' says that a deadline decided, which only a deadline can";
  if (answer.input !== undefined && typeof answer.input !== "string") return "'input' must be text";
  const tooLarge = answerSizeProblem(answer, crew);
  if (tooLarge !== undefined) return tooLarge;
  switch (paused.reason) {
    case "ambiguous":
      if (answer.input !== undefined)
        return `write the result of the call as 'result', with the decision 'happened'; 'input' is not used here`;
      return decisionProblem(paused, answer, crew);
    case "gate":
    case "approval":
      return decisionProblem(paused, answer, crew);
    case "external":
      return answer.external === undefined && answer.input === undefined
        ? "this pause expects the response, 'external'"
        : undefined;
    case "quota": {
      const raised = readRaise(answer.quota);
      return "problem" in raised ? raised.problem : undefined;
    }
    default:
      if (answer.input === undefined) return "this pause expects 'input'";
      return answer.input.trim() === ""
        ? `the answer is empty; write what agent '${paused.agent}' is to be told`
        : undefined;
  }
}

/** What an answer to each kind of pause may contain. All other kinds take an input only. */
const usedBy: Readonly<Partial<Record<Paused["reason"], readonly (keyof ResumeAnswer)[]>>> = {
  ambiguous: ["decision", "result"],
  gate: ["decision", "input"],
  approval: ["decision", "input", "args"],
  external: ["external", "input"],
  quota: ["quota"],
};

const parts = ["input", "decision", "args", "result", "external", "quota"] as const;

/** Some parts of an answer need a certain decision. */
const onlyWith: Readonly<Record<string, string>> = { args: "edit", result: "happened" };

/** Nobody reads words that come with the approval of a tool call. At a gate, the next agent reads them. */
const onlyWithAtApproval: typeof onlyWith = { ...onlyWith, input: "reject" };

/** Refuses a part that would be ignored, because whoever wrote it expects an effect. */
function unusedIn({ reason }: Paused, answer: ResumeAnswer): string | undefined {
  const used = usedBy[reason] ?? ["input"];
  const given = parts.filter((key) => answer[key] !== undefined);
  const unused = given.find((key) => !used.includes(key));
  if (unused !== undefined)
    return `'${unused}' is not used here; an answer to this pause has ${used.map((key) => `'${key}'`).join(" or ")}`;
  const needs = reason === "approval" ? onlyWithAtApproval : onlyWith;
  const misplaced = given.find((key) => (needs[key] ?? answer.decision) !== answer.decision);
  if (misplaced !== undefined) return `'${misplaced}' is only used with the decision '${needs[misplaced]}'`;
  return reason === "external" && given.length > 1 ? "give 'external' or 'input', not both" : undefined;
}

function answerSizeProblem({ input = "", ...others }: ResumeAnswer, { settings }: Crew): string | undefined {
  const inputProblem = sizeProblem("'input'", input, settings.maxInputSizeKb ?? MAX_TOLD_KB);
  if (inputProblem !== undefined) return inputProblem;
  try {
    return sizeProblem("the answer", JSON.stringify(others), MAX_TOLD_KB);
  } catch {
    return "the answer is not plain JSON";
  }
}

function decisionProblem(
  { agent, reason, options }: Paused,
  { decision, args }: ResumeAnswer,
  root: Crew,
): string | undefined {
  const crew = findAgentCrew(agent, root);
  const target = reason === "gate" ? /^redirect:(.*)$/.exec(decision ?? "")?.[1] : undefined;
  if (target !== undefined) {
    if (crew.agents.has(target)) return undefined;
    const known = `one of ${[...crew.agents.keys()].join(", ")}`;
    return target === "" ? `redirect to whom? Name ${known}` : `there is no agent '${target}'; redirect to ${known}`;
  }
  if (!options.some((option) => option === decision)) {
    const got = decision === undefined ? "" : `; got "${decision}"`;
    return `this pause expects ${[options.slice(0, -1).join(", "), options.at(-1)].filter(Boolean).join(" or ")}${got}`;
  }
  return decision === "edit" && args === undefined ? "'edit' needs the edited arguments, 'args'" : undefined;
}
