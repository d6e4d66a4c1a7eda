import { z } from "zod";
import { findThread, nameThread } from "../../library/find-thread.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import type { RunId } from "../../vocabulary/ids.ts";
import { nameConversation } from "../name-conversation.ts";
import { refuseTooMany } from "../routes/start-run.ts";
import type { ServedCrew } from "../served-crews.ts";
import { answer, askByResult, FORM, followCall, type ToolAnswer } from "./follow-call.ts";
import { findRun, mayAnswer, readStanding } from "./found-run.ts";
import type { McpCaller, McpHost } from "./mcp-host.ts";
import type { AskedPause } from "./request-states.ts";
import { type Exchange, traceOf } from "./tool-exchange.ts";
import { toToolResult } from "./tool-result.ts";

/** What the tool of a crew takes. */
export const crewInput = z.strictObject({
  input: z.string().min(1).meta({ description: "The task, with all that the crew needs to know." }),
  conversation: z.string().min(1).max(512).optional().meta({
    description: "The conversation that the task continues or begins; any id. Without it, the crew remembers nothing.",
  }),
});

/** Says what a crew is for, for whoever chooses among tools. */
export function describeCrewTool({ name, crew: { definition } }: ServedCrew): string {
  const { description, agents } = definition;
  const members = [...agents.values()].map((agent) =>
    agent.description === undefined ? agent.id : `${agent.id} (${agent.description})`,
  );
  const about = description ?? `Runs the crew '${name}' of these agents: ${members.join(", ")}.`;
  return `${about}\n\nA long run answers with {runId, status: "running"}; get_run then gives its result.`;
}

/** Starts a run of the crew; or answers the run that asked, if the call brings an answer. */
export async function callCrew(
  host: McpHost,
  caller: McpCaller,
  served: ServedCrew,
  given: z.output<typeof crewInput>,
  exchange: Exchange,
): Promise<ToolAnswer> {
  if (exchange.asked !== undefined) return answerCall(host, caller, served, exchange.asked, exchange);
  if (exchange.answers !== undefined)
    throw new BatonError("bad-answer", "an answer must bring the requestState of its question; nothing was started");
  const { token, user } = caller;
  await host.spending.check(token, Date.now());
  const conversation = given.conversation === undefined ? undefined : nameConversation(given.conversation);
  const whose = user === undefined ? {} : { user };
  const crew = conversation === undefined ? served.crew : served.crew.conversation(conversation, whose);
  const admitted = refuseTooMany({ token, service: host });
  if (admitted !== undefined) await admitted;
  let id: RunId;
  try {
    const options = { by: token.name, ...whose, ...traceOf(exchange, caller) };
    ({ id } = await host.supervisor.start(crew, served.name, given.input, options));
  } catch (error) {
    const earlier = conversation === undefined ? undefined : await findEarlier(host, served, conversation, user, error);
    if (earlier === undefined) throw error;
    const { content, ...standing } = toToolResult(
      await readStanding(host, caller, await findRun(host, caller, earlier)),
    );
    const unused = `The input was not used: the run before it in conversation '${given.conversation}' has not ended.`;
    return { ...standing, content: [{ type: "text", text: unused }, ...content], isError: true };
  }
  caller.about(id);
  return followCall({ host, caller, exchange, id }, 0);
}

/** The run of a conversation that has to end before another one may begin. */
async function findEarlier(
  { store }: McpHost,
  { name }: ServedCrew,
  conversation: string,
  user: string | undefined,
  error: unknown,
): Promise<RunId | undefined> {
  if (!(error instanceof BatonError) || !/^conversation-/.test(error.code)) return undefined;
  return (await findThread(store, nameThread(conversation, name, user).key)).last?.runId;
}

/** A call that names a pause continues the run. It never starts another one, however often it comes. */
async function answerCall(
  host: McpHost,
  caller: McpCaller,
  served: ServedCrew,
  { runId, seq }: AskedPause,
  exchange: Exchange,
): Promise<ToolAnswer> {
  const found = await findRun(host, caller, runId);
  if (found.served.name !== served.name)
    throw new BatonError("bad-answer", `the requestState belongs to a run of '${found.served.name}'`);
  const follow = (isAnswered: boolean) =>
    followCall({ host, caller, exchange, id: runId }, found.events.length, isAnswered);
  const last = found.events.at(-1);
  if (last?.type !== "run.paused" || last.seq !== seq) return follow(false);
  const standing = await readStanding(host, caller, found);
  if (!mayAnswer(caller.token, last.data, found.isOwn)) return toToolResult(standing);
  const said = readAnswer(exchange.answers);
  if (said === undefined) return askByResult(host, caller, last, last.data);
  if (said.action !== "accept") return toToolResult({ ...standing, unanswered: `the user chose to ${said.action}` });
  const problem = await answer(host, found, last.data, said.content ?? {}, {
    by: caller.token.name,
    ...traceOf(exchange, caller),
  });
  return problem === undefined ? follow(true) : askByResult(host, caller, last, last.data, problem);
}

const answerSchema = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).optional(),
});

/** What a client brings is checked like any input. */
function readAnswer(answers: Exchange["answers"]): z.output<typeof answerSchema> | undefined {
  return answerSchema.safeParse(answers?.[FORM]).data;
}
