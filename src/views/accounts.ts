import type { BatonEvent, EventType } from "../vocabulary/events.ts";
import { type Figures, Tally } from "./figures.ts";

/** One entry in the accounts of a run: its own figures, and the total that includes everything it called. */
export interface Account {
  readonly kind: "run" | "crew" | "session" | "turn" | "call";
  readonly name: string;
  /** The place in the run, as the events give it. */
  readonly path: string;
  readonly own: Figures;
  readonly total: Figures;
  readonly children: readonly Account[];
}

/** What stands in place of a model's name where a remote agent answered. */
export const REMOTE = "remote agent";

const paid: ReadonlySet<EventType> = new Set([
  ...(["model.completed", "model.failed", "function.completed", "function.failed"] as const),
]);

interface OpenAccount extends Account {
  readonly parent: OpenAccount | undefined;
  readonly own: Tally;
  readonly total: Tally;
  readonly children: OpenAccount[];
}

/** Builds the accounts of a run as a tree: run, crew, sessions, turns, calls. Every total is the sum of the calls below it. */
export function buildAccounts(events: readonly BatonEvent[]): Account {
  const [started] = events;
  if (started?.type !== "run.started") throw new Error("a run begins with run.started");
  const run = open("run", started.runId, "", undefined);
  const byPath = new Map([["", open("crew", started.data.crew, "", run)]]);
  const openAt = (kind: Account["kind"], name: string, path: string) =>
    byPath.set(path, open(kind, name, path, findEnclosing(path, byPath)));
  for (const event of events) {
    const { type, path } = event;
    const isSession = type === "agent.started" || type === "advisors.started" || type === "team.started";
    if (isSession && !byPath.has(path)) openAt("session", event.agent ?? "", path);
    else if (type === "crew.entered") openAt("crew", event.data.crew, path);
    else if (type === "model.called") {
      const turn = path.slice(0, path.lastIndexOf("/"));
      if (!byPath.has(turn)) openAt("turn", `turn ${event.data.turn + 1}`, turn);
      openAt("call", event.data.model, path);
    } else if (type === "function.called" && event.data.remote !== undefined) openAt("call", REMOTE, path);
    else if (paid.has(type)) book(byPath.get(path), event);
  }
  return close(run);
}

function open(kind: Account["kind"], name: string, path: string, parent: OpenAccount | undefined): OpenAccount {
  const account = { kind, name, path, parent, own: new Tally(), total: new Tally(), children: [] };
  parent?.children.push(account);
  return account;
}

/** Finds the account at the nearest place above. */
function findEnclosing(path: string, byPath: ReadonlyMap<string, OpenAccount>): OpenAccount | undefined {
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return byPath.get(above) ?? findEnclosing(above, byPath);
}

/** A call counts in the total of everything above it. It counts as `own` for the nearest turn, session, crew and run. */
function book(call: OpenAccount | undefined, event: BatonEvent): void {
  const met = new Set<Account["kind"]>();
  for (let account = call; account !== undefined; account = account.parent) {
    account.total.count(event);
    if (!met.has(account.kind)) account.own.count(event);
    met.add(account.kind);
  }
}

function close({ parent: _, children, ...account }: OpenAccount): Account {
  return { ...account, children: children.map(close) };
}
