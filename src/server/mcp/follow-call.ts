import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { ResumeOptions } from "../../runtime/environment.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import type { Paused, ResumeAnswer } from "../../vocabulary/pause.ts";
import { awaitRun } from "./await-run.ts";
import { type FoundRun, findRun, readStanding } from "./found-run.ts";
import type { McpCaller, McpHost } from "./mcp-host.ts";
import { type FilledForm, readForm, toForm } from "./question-form.ts";
import { type Exchange, traceOf } from "./tool-exchange.ts";
import { type Standing, toToolResult } from "./tool-result.ts";

export type ToolAnswer = CallToolResult | InputRequiredResult;

/** The name of the form in an exchange. */
export const FORM = "answer";
/** How long a person has for a form if the client hears that we wait. */
const FORM_MS = 600_000;
/** How often a form that was filled in wrongly is shown again. */
const MAX_SLIPS = 2;
const SHORTEST_FORM_MS = 5000;
const BEAT_MS = 15_000;

/** A run that a call is about, from an event on. */
interface Followed {
  readonly host: McpHost;
  readonly caller: McpCaller;
  readonly exchange: Exchange;
  readonly id: string;
}

/** Waits for a run, and asks the person at the client what the run asks, as far as the client can. */
export async function followCall(followed: Followed, fromSeq: number, wasAnswered = false): Promise<ToolAnswer> {
  const { host, caller, exchange } = followed;
  const until = performance.now() + host.waitMs;
  let [next, isAnswered] = [fromSeq, wasAnswered];
  let problem: string | undefined;
  for (let slips = 0; ; slips += problem === undefined ? 0 : 1) {
    const waitMs = exchange.hearsProgress ? host.waitMs : Math.max(0, until - performance.now());
    const found = await waitForRun(followed, { fromSeq: next, isAnswered, waitMs });
    const standing = await readStanding(host, caller, found);
    const { paused } = standing.result;
    if (paused === undefined || !standing.mayAnswer || exchange.asking === "never" || slips > MAX_SLIPS)
      return toToolResult(standing);
    const last = found.events.at(-1);
    if (exchange.asking === "result") return askByResult(host, caller, last, paused, problem);
    const said = await askNow(exchange, standing, paused, problem, until);
    if ("content" in said) return said;
    next = found.events.length;
    problem = await answer(host, found, paused, said.form, { by: caller.token.name, ...traceOf(exchange, caller) });
    isAnswered = problem === undefined;
  }
}

async function waitForRun(
  { host, caller, exchange, id }: Followed,
  from: { readonly fromSeq: number; readonly isAnswered: boolean; readonly waitMs: number },
): Promise<FoundRun> {
  const { runId, served } = await findRun(host, caller, id);
  const { signal, tell } = exchange;
  const how = await awaitRun(host, { runId, ...from, signal, tell });
  if (how === "told") return findRun(host, caller, id);
  if (!host.supervisor.isStopping && caller.onLeave(signal.reason) === "cancel")
    await host.supervisor.cancel(served.crew, runId, false);
  throw new BatonError("stopping", "the caller went away");
}

/** A result that asks. The client calls again with the answer, and with what says which pause it is for. */
export async function askByResult(
  { states }: McpHost,
  { token }: McpCaller,
  last: BatonEvent | undefined,
  paused: Paused,
  problem?: string,
): Promise<InputRequiredResult> {
  const requestState = await states.sign({ runId: last?.runId ?? "", seq: last?.seq ?? 0 }, token.name);
  const form = { method: "elicitation/create" as const, params: withProblem(toForm(paused), problem) };
  return { resultType: "input_required", inputRequests: { [FORM]: form }, requestState };
}

/** Asks during the call. What is not answered in time stays a question of the run. */
async function askNow(
  exchange: Exchange,
  standing: Standing,
  paused: Paused,
  problem: string | undefined,
  until: number,
): Promise<{ readonly form: FilledForm } | CallToolResult> {
  const { signal } = exchange;
  const timeMs = exchange.hearsProgress ? FORM_MS : until - performance.now();
  if (timeMs < SHORTEST_FORM_MS) return toToolResult(standing);
  const beat = setInterval(() => exchange.tell("waits for your answer"), BEAT_MS);
  exchange.tell(`${paused.agent} waits for your answer`);
  try {
    const said = await exchange.ask(withProblem(toForm(paused), problem), signal, timeMs);
    if (said.action === "accept") return { form: said.content ?? {} };
    return toToolResult({ ...standing, unanswered: `the user chose to ${said.action}` });
  } catch {
    if (signal.aborted) throw new BatonError("stopping", "the caller went away");
    return toToolResult({ ...standing, unanswered: "nobody answered in time" });
  } finally {
    clearInterval(beat);
  }
}

function withProblem<Form extends { readonly message: string }>(form: Form, problem: string | undefined): Form {
  return problem === undefined ? form : { ...form, message: `That does not fit: ${problem}\n\n${form.message}` };
}

/** Continues a run with what a person filled in; what is wrong with that, if it does not fit. */
export async function answer(
  host: McpHost,
  { served, runId }: FoundRun,
  paused: Paused,
  form: FilledForm,
  options: ResumeOptions,
): Promise<string | undefined> {
  try {
    const said: ResumeAnswer = readForm(form, paused);
    await host.supervisor.resume(served.crew, runId, said, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    if (error.code === "bad-answer") return error.message;
    // Somebody else has answered meanwhile: the run continues with that.
    if (answered.has(error.code)) return undefined;
    throw error;
  }
}

const answered: ReadonlySet<string> = new Set(["run-active", "run-owned", "not-paused"]);
