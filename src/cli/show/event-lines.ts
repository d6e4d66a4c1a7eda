import { explainChoice } from "../../views/explain-choice.ts";
import { formatFailure } from "../../views/explain-end.ts";
import { explainRefusal } from "../../views/explain-refusal.ts";
import { addReferences } from "../../vocabulary/attachment.ts";
import type { BatonEvent, BranchOutcome, EventData, EventType } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { shorten } from "../live/clean-text.ts";
import { formatDollars, formatDuration, formatNumber } from "../live/format-figures.ts";
import type { Terminal } from "../terminal.ts";
import { tableLines } from "./table-lines.ts";

/** Every event in a line: its number, when it came, what it is, of whom, and what it is about. */
export function eventLines(events: readonly BatonEvent[], style: Terminal["style"], columns: number): string[] {
  const startedAt = events[0]?.ts ?? 0;
  const cells = (of: (event: BatonEvent) => string) => events.map(of);
  const dim = (text: string) => style("dim", text);
  const table = [
    { title: "seq", cells: cells(({ seq = "" }) => String(seq)), isNumber: true, paint: dim },
    { title: "after", cells: cells(({ ts }) => formatMoment(ts - startedAt)), isNumber: true, rank: 2, paint: dim },
    { title: "event", cells: cells(({ type }) => type), paint: inColour },
    { title: "agent", cells: cells((event) => shorten(nameSpeaker(event))), least: 6, rank: 3 },
    { title: "place", cells: cells(({ path }) => path), least: 6, rank: 1, paint: dim },
    { title: "about", cells: cells(summarizeEvent), least: 10 },
  ];
  const isNarrow = columns < 100;
  return tableLines(isNarrow ? table.filter(({ title }) => title !== "place") : table, columns, style);

  function inColour(text: string): string {
    if (/\.(failed|rejected|unbound|refused|exceeded|cancelled|cancelling)$|^deadline/.test(text))
      return style("red", text);
    if (/^(signal|handoff)/.test(text)) return style("cyan", text);
    if (/^run\./.test(text)) return style("bold", text);
    return /^(agent|parallel|crews?)\./.test(text) ? text : dim(text);
  }
}

/** To the millisecond while that is what matters. */
function formatMoment(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(3)}s` : formatDuration(ms);
}

const essences: { readonly [Type in EventType]: (data: EventData[Type]) => string } = {
  "run.started": ({ crew, input, attachments }) => `${crew}: ${addReferences(input, attachments)}`,
  "run.paused": ({ agent, reason, prompt, expiresAt }) =>
    `${agent} (${reason}${expiresAt === undefined ? "" : `, until ${expiresAt}`}): ${prompt}`,
  "run.resumed": (answer) =>
    [
      answer.by,
      answer.decision,
      addReferences(answer.input ?? "", answer.attachments),
      formatJson(answer.args ?? answer.result ?? answer.external ?? answer.quota),
    ]
      .filter(Boolean)
      .join(" "),
  "run.queued": ({ priority, dueAt }) => `priority ${priority}${dueAt === undefined ? "" : `, not before ${dueAt}`}`,
  "run.continued": ({ why }) => why,
  "run.completed": ({ stopReason, output }) => `${stopReason}: ${output}`,
  "run.failed": ({ stopReason, error }) => `${stopReason}: ${error.message}`,
  "run.cancelling": ({ reason }) => reason,
  "run.cancelled": ({ reason }) => reason,
  classification: (data) => `${data.agent} (${explainChoice(data)})`,
  "agent.started": ({ input }) => input,
  "agent.told": ({ input }) => input,
  "agent.completed": ({ answer }) => answer,
  "agent.failed": ({ code, message }) => formatFailure(code, message),
  "model.called": ({ model, attempt, waitMs }) =>
    `${model}${attempt === 0 ? "" : `, try ${attempt + 1}`}${waitMs === undefined ? "" : ` in ${formatDuration(waitMs)}`}`,
  "model.completed": formatReply,
  "model.failed": ({ model, code, message, costUsd }) =>
    `${model}${costUsd === undefined ? "" : `, ${formatDollars(costUsd)}`} ${formatFailure(code, message)}`,
  "text.delta": ({ text }) => text,
  "reasoning.delta": ({ text }) => text,
  "tool.called": ({ tool, args }) => `${tool} ${formatJson(args)}`,
  "tool.completed": ({ tool, result }) => `${tool}: ${result}`,
  "tool.failed": ({ tool, message }) => `${tool}: ${message}`,
  "function.called": ({ effect }) => `effect: ${effect}`,
  "function.completed": ({ result }) => result,
  "function.failed": ({ message }) => message,
  "answer.rejected": ({ problem }) => problem,
  "signal.emitted": ({ signal, level, token }) => (level === "exact" ? signal : `${signal} ≈ ${token} (${level})`),
  "signal.rejected": ({ message }) => message,
  "signal.unbound": ({ message }) => message,
  handoff: ({ from, to, reason, n, circular }) => `${n}. ${from} → ${to} (${reason})${circular ? " circular" : ""}`,
  "route.learned": ({ declared, chosen, reason }) => `${chosen} in the place of ${declared}: ${reason}`,
  "handoff.refused": (data) => `${data.from} → ${data.to}: ${explainRefusal(data)}`,
  "handoff.skipped": ({ from, to, reason }) => `${from} does not hand off to ${to}: ${reason}`,
  "parallel.started": ({ group, members }) => `${group}: ${members.join(", ")}`,
  "parallel.joined": ({ group, outcomes }) => `${group}: ${describeOutcomes(outcomes)}`,
  "crew.entered": ({ crew, input }) => `${crew}: ${input}`,
  "crew.left": ({ crew, status, stopReason, output, error }) => {
    const reason = stopReason === undefined || stopReason === status ? "" : ` (${stopReason})`;
    const more = error?.message ?? output;
    return `${crew} ${status}${reason}${more === "" ? "" : `: ${more}`}`;
  },
  "crew.retrying": ({ crew, attempt, waitMs }) => `${crew}, try ${attempt + 1} in ${formatDuration(waitMs)}`,
  "crews.joined": ({ outcomes }) => describeOutcomes(outcomes),
  "memory.recalled": ({ scope, entries, problem }) => problem ?? `${scope}: ${entries.length}`,
  "guard.passed": ({ guard, on }) => `${guard} (${on})`,
  "guard.tripped": ({ guard, on, action, reason }) => `${guard} (${on}): ${action}: ${reason}`,
  "text.retracted": ({ guard, reason }) => `${guard}: ${reason}`,
  "todo.set": ({ items }) => items.map(({ text, status }) => `${text} (${status.replace("_", " ")})`).join(", "),
  "memory.set": ({ key, value }) => `${key} = ${formatJson(value)}`,
  "advisors.started": ({ advisors }) => advisors.join(", "),
  "advisors.gathered": ({ outcomes }) => describeOutcomes(outcomes),
  "clarification.asked": ({ child, question }) => `${child}: ${question}`,
  "clarification.answered": ({ child, answer }) => `${child}: ${answer}`,
  "team.started": ({ members, task }) => `${members.join(", ")}: ${task}`,
  "team.cycle": ({ cycle, members }) => `${cycle}: ${members.join(", ")}`,
  "team.broadcast": ({ seq, memberId, type, message }) => `#${seq} ${memberId} (${type}): ${message}`,
  "team.left": ({ memberId, reason }) => (reason === undefined ? memberId : `${memberId}: ${reason}`),
  "nonce.drawn": ({ nonce }) => nonce,
  "external.emitted": ({ signal, content }) => `${signal}: ${content}`,
  "external.delivered": ({ signal, response, failures }) =>
    [signal, formatJson(response), ...failures].filter(Boolean).join(" "),
  "external.answered": ({ signal, response }) => `${signal} ${formatJson(response)}`,
  "context.trimmed": ({ messages }) => formatAmount(messages, "message"),
  "quota.warning": ({ message }) => message,
  "quota.exceeded": ({ message, onExceed }) => `${onExceed}: ${message}`,
  "quota.day": (others) => Object.keys(others).join(", "),
  "deadline.passed": ({ what, afterMs }) => `${what} after ${formatDuration(afterMs)}`,
};

/** What an event is about; of types that a later version wrote, all there is. */
function summarizeEvent({ type, data }: BatonEvent): string {
  // The function of a type takes the data of that type, which the compiler does not see through the union.
  const essence = essences[type] as ((data: unknown) => string) | undefined;
  return shorten(essence?.(data) ?? formatJson(data));
}

/** `1,200 → 80 tokens (1,000 cached), $0.0012, first after 0.400s, 52/s, stop: text`: as much of it as is known. */
function formatReply(reply: EventData["model.completed"]): string {
  const { usage, costUsd, finish, text, toolCalls, msToFirstToken, tokensPerSecond } = reply;
  const tools = toolCalls.map(({ name }) => name).join(", ");
  const cached = usage === undefined || usage.cacheRead === 0 ? "" : ` (${formatNumber(usage.cacheRead)} cached)`;
  const facts = [
    usage === undefined ? "" : `${formatNumber(usage.input)} → ${formatNumber(usage.output)} tokens${cached}`,
    costUsd === undefined ? "" : formatDollars(costUsd),
    msToFirstToken === undefined ? "" : `first after ${formatMoment(msToFirstToken)}`,
    tokensPerSecond === undefined ? "" : `${tokensPerSecond.toFixed(0)}/s`,
    finish,
  ];
  return `${facts.filter(Boolean).join(", ")}: ${tools || text}`;
}

/** `solver late, critic completed`. */
function describeOutcomes(outcomes: readonly BranchOutcome[]): string {
  return outcomes.map(({ member, status }) => `${member} ${status}`).join(", ");
}

function formatJson(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
