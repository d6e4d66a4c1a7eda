import { computeConfidence, type Weights } from "../src/classify/compute-confidence.ts";
import { type AgentIndex, type Described, indexAgents } from "../src/classify/index-agents.ts";
import { type Ranking, rankAgents } from "../src/classify/rank-agents.ts";
import {
  corpusAgents,
  corpusInOtherWords,
  corpusInputs,
  type LabelledInput,
  sharesWord,
} from "./classification-corpus.ts";
import { minimize } from "./minimize.ts";
import { cpuPerCall, type Figure, median, type Report } from "./report.ts";

const MIN_CONFIDENCE = 0.4;
const BINS = 5;
/** To be sure and wrong is worse than to be unsure and right, where the crew's first agent takes it. */
const WRONG = 3;
const nothing = new Map();

/** An input ranked, and whether that was right. */
interface Judged {
  readonly input: LabelledInput;
  readonly ranking: Ranking;
  readonly isRight: boolean;
}

/** Who is chosen on the labelled inputs, how much the confidence means, and what a choice takes. */
export function measure(): Report {
  const agents = corpusAgents();
  const inputs = corpusInputs();
  const fitted = inputs.filter(({ isForFitting }) => isForFitting);
  const heldOut = inputs.filter(({ isForFitting }) => !isForFitting);
  const index = indexAgents(agents);
  const own = judgeAll(index, heldOut);
  const plain = judgeAll(indexAgents(agents.map((agent) => ({ ...agent, specialties: [] }))), heldOut);
  const figures = [
    accuracy("top 1, inputs that were fitted to", judgeAll(index, fitted)),
    ...["en", "vi", "bare", "slips", "either"].map((kind) =>
      accuracy(
        `top 1, held out, ${kind}`,
        own.filter(({ input }) => input.kind === kind),
      ),
    ),
    { ...accuracy("top 1, held out", own), target: { atLeast: 85 } },
    ...inOtherWords(index, agents, own),
    ...confidenceFigures("held out", own),
    ...confidenceFigures(
      "held out, crews of 3",
      heldOut.map((input) => judge(indexAgents(someOf(agents, input, 3)), input)),
    ),
    { ...accuracy("top 1, held out, by descriptions alone", plain), unit: "%" },
    ...confidenceFigures("by descriptions alone", plain).map(({ target: _, ...figure }) => figure),
    ...reliability(own),
    ...times(index, agents),
  ];
  return { figures, notes: [weightsLine(agents, fitted)] };
}

function judgeAll(index: AgentIndex, inputs: readonly LabelledInput[]): Judged[] {
  return inputs.map((input) => judge(index, input));
}

function judge(index: AgentIndex, input: LabelledInput): Judged {
  const ranking = rankAgents(index, input.say, nothing);
  const [best] = ranking.ranked;
  return { input, ranking, isRight: best !== undefined && best.score > 0 && input.agents.includes(best.agent) };
}

/** Over the inputs that are some agent's. */
function accuracy(name: string, judged: readonly Judged[]): Figure {
  return {
    name,
    value: percent(
      judged.filter(({ input }) => input.agents.length > 0),
      ({ isRight }) => isRight,
    ),
    unit: "%",
  };
}

function confidenceFigures(name: string, judged: readonly Judged[]): Figure[] {
  const isLow = ({ ranking }: Judged) => ranking.confidence < MIN_CONFIDENCE;
  const wrong = judged.filter(({ isRight }) => !isRight);
  const right = judged.filter(({ isRight }) => isRight);
  return [
    {
      name: `${name}: wrong and below ${MIN_CONFIDENCE}`,
      value: percent(wrong, isLow),
      unit: "% of the wrong",
      target: { atLeast: 70 },
    },
    {
      name: `${name}: right and not below`,
      value: percent(right, (each) => !isLow(each)),
      unit: "% of the right",
      target: { atLeast: 85 },
    },
    {
      name: `${name}: expected error of the confidence`,
      value: expectedError(judged),
      unit: "(0 to 1)",
      target: { atMost: 0.1 },
    },
  ];
}

/** Where only a slip, a part of a word or marks that are left out lead from an input to its agent, and where nothing does. */
function inOtherWords(index: AgentIndex, agents: readonly Described[], heldOut: readonly Judged[]): Figure[] {
  const near = heldOut.filter(({ input }) => input.agents.length > 0 && !sharesWord(input, agents));
  const far = judgeAll(index, corpusInOtherWords());
  const isLow = ({ ranking }: Judged) => ranking.confidence < MIN_CONFIDENCE;
  return [
    accuracy(`top 1, held out, no word shared (${near.length} inputs)`, near),
    accuracy(`top 1, in other words (${far.length} inputs)`, far),
    { name: `in other words: below ${MIN_CONFIDENCE}`, value: percent(far, isLow), unit: "%" },
  ];
}

/** How often the choice was right, for each fifth of the confidence. */
function reliability(judged: readonly Judged[]): Figure[] {
  return binsOf(judged).map((bin, index) => {
    const from = index / BINS;
    const mean = average(bin.map(({ ranking }) => ranking.confidence));
    const name = `confidence ${from.toFixed(1)} to ${(from + 1 / BINS).toFixed(1)}: ${bin.length} inputs, mean ${mean.toFixed(2)}`;
    return { name, value: percent(bin, ({ isRight }) => isRight), unit: "% right" };
  });
}

/** How far the confidence is from the share that was right, on average. */
function expectedError(judged: readonly Judged[]): number {
  const misses = binsOf(judged).map((bin) => {
    const miss = average(bin.map(({ ranking }) => ranking.confidence)) - percent(bin, ({ isRight }) => isRight) / 100;
    return bin.length === 0 ? 0 : (bin.length / judged.length) * Math.abs(miss);
  });
  return misses.reduce((sum, miss) => sum + miss, 0);
}

function binsOf(judged: readonly Judged[]): Judged[][] {
  const binOf = ({ ranking }: Judged) => Math.min(BINS - 1, Math.floor(ranking.confidence * BINS));
  return Array.from({ length: BINS }, (_, bin) => judged.filter((each) => binOf(each) === bin));
}

/** What the constants of `src/classify/confidence.ts` should be, by the inputs that may be fitted to, in crews of several sizes. */
function weightsLine(agents: readonly Described[], inputs: readonly LabelledInput[]): string {
  const judged = [6, agents.length].flatMap((size) =>
    inputs.map((input) => judge(indexAgents(someOf(agents, input, size)), input)),
  );
  const names = ["base", "score", "coverage", "sharpness"] as const;
  const weightsOf = (point: readonly number[]): Weights => {
    const [base = 0, score = 0, coverage = 0, sharpness = 0] = point;
    return { base, score, coverage, sharpness };
  };
  const loss = (point: readonly number[]) => {
    const weights = weightsOf(point);
    const losses = judged.map(({ ranking: { features }, isRight }) => {
      const confidence = Math.min(1 - 1e-6, Math.max(1e-6, computeConfidence(features, weights)));
      return isRight ? -Math.log(confidence) : -WRONG * Math.log(1 - confidence);
    });
    return average(losses) + 0.001 * point.reduce((sum, value) => sum + value ** 2, 0);
  };
  const fitted = weightsOf(minimize(loss, [0, 1, 1, 1]));
  return `fitted: { ${names.map((name) => `${name}: ${fitted[name].toFixed(2)}`).join(", ")} }`;
}

/** Those an input is for, and others up to `size`: which of them depends on the input alone. */
function someOf(agents: readonly Described[], { say, agents: right }: LabelledInput, size: number): Described[] {
  const start = say.length % agents.length;
  const turned = [...agents.slice(start), ...agents.slice(0, start)];
  const chosen = new Set(
    [...turned.filter(({ id }) => right.includes(id)), ...turned].slice(0, Math.max(size, right.length)),
  );
  return agents.filter((agent) => chosen.has(agent));
}

/** Against splitting the same text into words, which no ranker can do without. */
function times(index: AgentIndex, agents: readonly Described[]): Figure[] {
  const question = "Tôi chuyển khoản rồi mà chưa thấy hóa đơn, the payment was declined but the money has left my bank";
  const long = `${question}\n`.repeat(100_000);
  const floor = () => question.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu);
  const rank = (text: string) => () => rankAgents(index, text, nothing);
  const ratio = (one: () => unknown, other: () => unknown) =>
    median(Array.from({ length: 5 }, () => cpuPerCall(one) / cpuPerCall(other)));
  return [
    {
      name: "a question ranked",
      value: median(Array.from({ length: 5 }, () => cpuPerCall(rank(question)))) * 1000,
      unit: "µs of CPU",
    },
    {
      name: "a question ranked, over splitting it",
      value: ratio(rank(question), floor),
      unit: "× floor",
      target: { atMost: 40 },
    },
    {
      name: "10 MB ranked, over a question",
      value: ratio(rank(long), rank(question)),
      unit: "× a question",
      target: { atMost: 400 },
    },
    { name: "12 agents indexed", value: cpuPerCall(() => indexAgents(agents)), unit: "ms of CPU" },
  ];
}

function percent<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : (100 * items.filter(holds).length) / items.length;
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
