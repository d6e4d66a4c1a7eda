import type { Crew } from "../crew.ts";
import { BatonError } from "../errors.ts";
import type { Paused, ResumeAnswer } from "../events.ts";

/** Refuses an answer that does not fit the question, before anything of it is recorded. */
export function checkAnswer({ reason, options }: Paused, answer: ResumeAnswer, crew: Crew): void {
  const { decision } = answer;
  if (reason === "gate" || reason === "approval") {
    const target = /^redirect:(.*)$/.exec(decision ?? "")?.[1];
    const isRedirect = reason === "gate" && target !== undefined;
    if (isRedirect && !crew.agents.has(target))
      throw bad(`there is no agent '${target}' to redirect to: ${[...crew.agents.keys()].join(", ")}`);
    if (!isRedirect && !options.some((option) => option === decision)) throw bad(`decide one of ${options.join(", ")}`);
    if (decision === "edit" && answer.args === undefined) throw bad("'edit' needs the edited arguments, 'args'");
  } else if (reason === "external") {
    if (answer.external === undefined && answer.input === undefined)
      throw bad("the run waits for the response, 'external'");
  } else if (answer.input === undefined) throw bad("the run waits for 'input'");
}

function bad(message: string): BatonError {
  return new BatonError("bad-answer", `the answer does not fit the question: ${message}`);
}
