import type { History } from "../context/history.ts";
import type { Agent } from "../crew.ts";
import type { EventPlace, Failure } from "../events.ts";
import type { Message } from "../messages.ts";
import type { Budget } from "../run/budget.ts";
import { type Scope, ScopeClosed } from "../run/scope.ts";
import { runSession, type SessionOutcome } from "../session/run-session.ts";
import type { SessionTool } from "../session/session-tool.ts";
import type { CrewRun } from "./crew-run.ts";
import { budgetOf } from "./limit-crew.ts";
import { delegateTool } from "./patterns/delegate.ts";
import { subAgentTools } from "./patterns/sub-agents.ts";
import { distinctSignals, type FoundSignal, stripSignals } from "./read-signals.ts";
import { memoryTools } from "./shared-memory.ts";
import { signalTool } from "./signal-tool.ts";

/** One question to one agent. */
export interface Question {
  readonly agent: Agent;
  readonly input: string;
  readonly history: History | undefined;
  readonly scope: Scope;
  readonly place: EventPlace;
  /** What the agent's calls count in besides its own quotas; those of the crew where absent. */
  readonly budget?: Budget | undefined;
}

/** An agent's answer as others see it, with the signals in it. */
export interface Answer {
  readonly type: "answer";
  readonly text: string;
  readonly found: readonly FoundSignal[];
  readonly traffic: readonly Message[];
}

export type Asked = Answer | { readonly type: "failed"; readonly failure: Failure };

/** What lets an agent answer; passed to what recurses. */
export type Ask = (question: Question, crewRun: CrewRun) => Promise<Asked>;

/** Lets an agent answer: its session, then what its words say in signals. Whether those act is the asker's to decide. */
export async function askAgent(question: Question, crewRun: CrewRun): Promise<Asked> {
  const { agent, input, history, scope, place } = question;
  const { run, clock, dayTotals } = crewRun.world;
  // A quota may end a run while its agents are still being called.
  if (scope.isClosed) throw new ScopeClosed(scope.reason);
  const budget = budgetOf(agent, question.budget ?? crewRun.budget, crewRun);
  run.emit(place, "agent.started", { input });
  // Said as the scope is closed and not as the session unwinds: only the former has an order that a second run repeats.
  const closable = {
    close: (reason: string) =>
      void run.emit(place, "agent.failed", { code: "cancelled", message: reason, agent: agent.id }),
  };
  scope.add(closable);
  const outcome = await runSession({
    agent,
    input,
    history,
    tools: toolsOf(question, crewRun, budget),
    models: crewRun.world.models(agent),
    settings: crewRun.crew.settings,
    run,
    clock,
    scope,
    place,
    budget,
    dayTotals,
  });
  if (scope.isClosed) throw new ScopeClosed(scope.reason);
  scope.remove(closable);
  return finish(outcome, agent, place, crewRun);
}

const none: readonly never[] = [];

function toolsOf(question: Question, crewRun: CrewRun, budget: Budget | undefined): readonly SessionTool[] {
  const { crew, world } = crewRun;
  const { agent } = question;
  const isAmongCrews = crew.subCrews.size > 0 || crewRun.depth > 0;
  const hasOwn = agent.tools.length > 0 || agent.subAgents.length > 0 || crew.settings.emit !== "text";
  if (!hasOwn && !isAmongCrews) return none;
  const ofCrews = isAmongCrews ? [...memoryTools(crewRun), ...delegateTool(question, crewRun, budget, askAgent)] : none;
  const tools = agent.tools.map((name): SessionTool => ({ kind: "effect", tool: world.tool(name, crew) }));
  return [...tools, ...subAgentTools(agent, crewRun, budget, askAgent), ...ofCrews, ...signalTool(agent, crew)];
}

function finish(outcome: SessionOutcome, agent: Agent, place: EventPlace, crewRun: CrewRun): Asked {
  const { run, readSignals } = crewRun.world;
  if (outcome.type === "failed") {
    run.emit(place, "agent.failed", outcome.failure);
    return outcome;
  }
  const { emit, stripSignals: strips } = crewRun.crew.settings;
  const matches = emit === "tool" ? [] : readSignals(crewRun.crew, agent, outcome.text);
  // What was given by the tool counts wherever the text would have put it.
  const given = outcome.type === "exit" ? readSignals(crewRun.crew, agent, String(outcome.value)) : [];
  const found = distinctSignals([...matches, ...given]);
  const answer = strips && emit !== "tool" ? stripSignals(outcome.text, matches) : outcome.text;
  run.emit(place, "agent.completed", { answer, turns: outcome.turns });
  tellSignals(found, place, crewRun);
  return { type: "answer", text: answer, found, traffic: outcome.traffic };
}

function tellSignals(found: readonly FoundSignal[], place: EventPlace, crewRun: CrewRun): void {
  const { run } = crewRun.world;
  for (const { signal, level, token } of found) {
    const { problem } = signal;
    if (problem?.type === "signal.rejected")
      run.emit(place, "signal.rejected", { signal: signal.name, message: problem.message });
    else if (problem !== undefined)
      run.emit(place, "signal.unbound", { signal: signal.name, token, message: problem.message });
    else
      run.emit(place, "signal.emitted", { signal: signal.name, level, token, ...deprecationOf(signal.name, crewRun) });
  }
}

/** Pointed out the first time in a run. */
function deprecationOf(name: string, { crew, noted }: CrewRun): { readonly deprecated?: string } {
  const deprecated = crew.signals.find((signal) => signal.name === name)?.deprecated;
  if (deprecated === undefined || noted.has(name)) return {};
  noted.add(name);
  return { deprecated };
}
