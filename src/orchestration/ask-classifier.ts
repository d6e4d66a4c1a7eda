import type { Section } from "../context/frame.ts";
import { stripFence } from "../session/read-answer.ts";
import { turnsLeft } from "../session/run-session.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import type { Asked, Question } from "./agent-call.ts";
import { askAgent } from "./ask-agent.ts";
import { type CrewRun, formatCallPath } from "./crew-run.ts";
import { frameFor } from "./frame-for.ts";
import { OwnQuota } from "./own-quota.ts";

/** What was found to fit an input, before it is known whether that is enough. */
export interface Fitting {
  /** Those that fit, the best first; the others may be missing. */
  readonly ranked: readonly { readonly agent: string; readonly score: number }[];
  readonly confidence: number;
  /** Why nobody was found, in words. */
  readonly problem?: string;
}

/** Asks a crew's classifier which of its agents fits an input; an answer that names none is put right once. */
export async function askClassifier(
  crewRun: CrewRun,
  classifier: Agent,
  candidates: readonly Agent[],
  input: string,
): Promise<Fitting> {
  const { place, scope } = crewRun;
  const at = (name: string): EventPlace => ({
    ...place,
    path: place.path === "" ? name : `${place.path}/${name}`,
    agent: classifier.id,
  });
  const question: Question = {
    agent: classifier,
    input: frameFor(classifier, sectionsFor(candidates, input), at("classify"), crewRun),
    history: undefined,
    scope,
    place: at("classify"),
    original: input,
    callPath: formatCallPath(crewRun, classifier.id),
    ownQuota: new OwnQuota(),
  };
  const asked = await askAgent(question, crewRun);
  const first = read(asked, candidates);
  const session = asked.type === "answer" ? asked.session : undefined;
  if ("confidence" in first || session === undefined || turnsLeft(session) === 0) return readFitting(first, classifier);
  const again: Question = {
    ...question,
    session,
    input: `Your answer cannot be used: ${first.problem}. ${form(candidates)}`,
    place: at("classify-again"),
  };
  return readFitting(read(await askAgent(again, crewRun), candidates), classifier);
}

type Read = Fitting | { readonly problem: string };

function readFitting(read: Read, { id }: Agent): Fitting {
  if ("confidence" in read) return read;
  return { ranked: [], confidence: 0, problem: `classifier '${id}' chose nobody: ${read.problem}` };
}

function sectionsFor(candidates: readonly Agent[], input: string): Section[] {
  const list = candidates.map(({ id, description, specialties }) => {
    const about = [description?.trim() ?? "", specialties.join(", ")].filter((words) => words !== "");
    return about.length === 0 ? `- ${id}` : `- ${id}: ${about.join("; ")}`;
  });
  const task = "Choose the agent that should take the request below. Do not answer the request itself.";
  return [
    { kind: "plain", text: [task, list.join("\n"), form(candidates)].join("\n\n") },
    { kind: "original_user_request", text: input },
  ];
}

function form(candidates: readonly Agent[]): string {
  return `Answer with JSON and nothing else: {"agent": one of ${candidates.map(({ id }) => JSON.stringify(id)).join(", ")}, or null if none of them fits, "confidence": how sure you are, from 0 to 1}.`;
}

function read(asked: Asked, candidates: readonly Agent[]): Read {
  if (asked.type === "failed") return { problem: asked.failure.message };
  // A router may choose as it is used to.
  const value = asked.choice ?? parsed(stripFence(asked.text));
  const { agent, confidence = 1 } = isVerdict(value) ? completed(value, candidates) : { agent: value };
  if (agent === null) return { ranked: [], confidence: 0, problem: "the classifier says that no agent fits" };
  const found = typeof agent === "string" ? nameIn(agent, candidates) : undefined;
  if (found === undefined) return { problem: `it names none of ${candidates.map(({ id }) => id).join(", ")}` };
  const share = typeof confidence === "string" && confidence.trim() !== "" ? Number(confidence) : confidence;
  if (typeof share !== "number" || !(share >= 0 && share <= 1))
    return { problem: "'confidence' must be a number from 0 to 1" };
  return { ranked: [{ agent: found, score: share }], confidence: share };
}

/** What a model's JSON may hold; nothing of it is certain. */
interface Verdict {
  readonly agent?: unknown;
  readonly confidence?: unknown;
}

function isVerdict(value: unknown): value is Verdict {
  return typeof value === "object" && value !== null;
}

/** A model may call the key by another name, such as `agent_id`. */
function completed(verdict: Verdict, candidates: readonly Agent[]): Verdict {
  if (verdict.agent !== undefined) return verdict;
  const named = Object.values(verdict).find(
    (each) => typeof each === "string" && nameIn(each, candidates) !== undefined,
  );
  return { ...verdict, agent: named };
}

/** JSON, perhaps with words around it; a model may also answer with a bare name. */
function parsed(text: string): unknown {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  for (const json of [text, text.slice(Math.max(0, start), end + 1)]) {
    try {
      return JSON.parse(json);
    } catch {}
  }
  return text;
}

function nameIn(name: string, candidates: readonly Agent[]): string | undefined {
  const plain = plainName(name);
  const same = candidates.find(({ id }) => id === name.trim());
  return (same ?? candidates.find(({ id }) => plain !== "" && plainName(id) === plain))?.id;
}

/** Models put names between quotes, brackets or stars, and a full stop behind them. */
function plainName(text: string): string {
  return (/[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(text)?.[0] ?? "").toLowerCase();
}
