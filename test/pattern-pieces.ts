/** Where a piece works: on the line of a crew, or inside a call, known to those it calls by a path. */
type Where = { readonly crew: string } | { readonly callPath: string };

/** What comes of a piece: who reads what, who answers in the end, and what it takes. */
interface Outcome {
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  readonly answer: string;
  /** Of whoever answers. */
  readonly turns: number;
  readonly calls: number;
  /** Where it is on a crew's line. */
  readonly path: readonly string[];
  readonly handoffs: number;
}

/** A part of a crew that is reached through its first agent, with what is to come of it by the rules. */
export interface Piece {
  readonly first: string;
  readonly agents: Readonly<Record<string, string>>;
  readonly replies: Readonly<Record<string, readonly unknown[]>>;
  given(input: string, original: string, where: Where): Outcome;
}

const usage = { input: 1, output: 1 };
const say = (text: string) => ({ text, usage });
const call = (name: string, args: object) => ({ tools: [{ name, args }], usage });

const request = (text: string) => `## ORIGINAL USER REQUEST\n\n${text}`;
const message = (from: string, text: string) =>
  `## MESSAGE FROM AGENT \`${from}\` WHO ROUTED THIS REQUEST TO YOU\n\n${text}`;
const advice = (from: string, text: string) => `## ANALYSIS GATHERED\n\n### From ${from}\n\n${text}`;
const teamMessage = (from: string, turn: number, text: string) =>
  `## TEAM MESSAGES\n\n### #1 from ${from} (update, turn ${turn})\n\n${text}`;

function callPathOf(where: Where, agent: string): string {
  return "crew" in where ? `${where.crew}/${agent}` : where.callPath;
}

/** One agent that answers. */
export function plain(id: string): Piece {
  const answer = `${id} has answered.`;
  return {
    first: id,
    agents: { [id]: "" },
    replies: { [id]: [say(answer)] },
    given: (input) => ({ inputs: { [id]: [input] }, answer, turns: 1, calls: 1, path: [id], handoffs: 0 }),
  };
}

/** Each pattern around something else, of which it needs to know the first agent only. */
export const around: Readonly<Record<string, (id: string, inner: Piece) => Piece>> = {
  handoff: (id, inner) =>
    passing(id, inner, `handoff: ${inner.first}`, [say(`${id} is done.`)], () => `${id} is done.`),
  "handoff with sections": (id, inner) => {
    const keys = `handoff: { to: ${inner.first}, include: [response, original_request] }`;
    const frame = (original: string) => `## RESPONSE FROM AGENT \`${id}\`\n\n${id} is done.\n\n${request(original)}`;
    return passing(id, inner, keys, [say(`${id} is done.`)], frame);
  },
  router: (id, inner) => {
    const choice = call("handoff-to", { agent: inner.first, message: `${id} sends you.` });
    const frame = (original: string) => `${request(original)}\n\n${message(id, `${id} sends you.`)}`;
    return passing(id, inner, `router: { destinations: [${inner.first}] }`, [choice], frame);
  },
  advisors: (id, inner) =>
    calling(id, inner, `advisors: [${inner.first}]`, [], (input, original, where) => {
      const callPath = `${callPathOf(where, id)}/${inner.first}-1`;
      const heard = inner.given(input, original, { callPath });
      return { heard, told: `${request(input)}\n\n${advice(inner.first, heard.answer)}` };
    }),
  team: (id, inner) =>
    calling(id, inner, `team: { members: [${inner.first}], supervisor: ${id} }`, [], (input, original, where) => {
      const callPath = `${callPathOf(where, id)}/${inner.first}`;
      const heard = inner.given(input, original, { callPath });
      return { heard, told: `${input}\n\n${teamMessage(inner.first, heard.turns, heard.answer)}` };
    }),
  face: (id, inner) => {
    const supervisor = `${id}_lead`;
    const keys = `team: { members: [${inner.first}], supervisor: ${supervisor} }`;
    const task = `${id} sets a task.`;
    const answer = `${supervisor} has decided.`;
    return {
      first: id,
      agents: { ...inner.agents, [id]: keys, [supervisor]: "" },
      replies: { ...inner.replies, [id]: [say(task)], [supervisor]: [say(answer)] },
      given(input, original, where) {
        const callPath = `${callPathOf(where, supervisor)}/${inner.first}`;
        const heard = inner.given(task, original, { callPath });
        const told = `${task}\n\n${teamMessage(inner.first, heard.turns, heard.answer)}`;
        const inputs = { ...heard.inputs, [id]: [input], [supervisor]: [told] };
        return { inputs, answer, turns: 1, calls: heard.calls + 2, path: [id, supervisor], handoffs: 1 };
      },
    };
  },
  "sub-agent": (id, inner) => {
    const asking = [call(`agent__${inner.first}`, { prompt: `${id} asks.`, reason: "to know" })];
    return calling(id, inner, `agents: [${inner.first}]`, asking, (input, _, where) => {
      const callPath = `${callPathOf(where, id)}/${inner.first}-1`;
      return { heard: inner.given(`${id} asks.`, `${id} asks.`, { callPath }), told: input };
    });
  },
  clarification: (id, inner) => {
    const helper = `${id}_helper`;
    const asking = [
      call(`agent__${inner.first}`, { prompt: `${id} asks.` }),
      call(`agent__${helper}`, { prompt: `${id} asks.` }),
      call("agent__ask_clarification", { child: `${helper}-1`, question: "Sure?" }),
    ];
    const whole = calling(id, inner, `agents: [${inner.first}, ${helper}]`, asking, (input, _, where) => {
      const own = callPathOf(where, id);
      const heard = inner.given(`${id} asks.`, `${id} asks.`, { callPath: `${own}/${inner.first}-1` });
      const questions = [`${id} asks.`, `## CLARIFICATION REQUEST FROM ${own}\n\nSure?`];
      const inputs = { ...heard.inputs, [helper]: questions };
      return { heard: { ...heard, inputs, calls: heard.calls + 2 }, told: input };
    });
    return {
      ...whole,
      agents: { ...whole.agents, [helper]: "chat: true" },
      replies: { ...whole.replies, [helper]: [say("It is so."), say("Quite sure.")] },
    };
  },
};

/** The work continues with something else, whose answer is the answer. */
function passing(
  id: string,
  inner: Piece,
  keys: string,
  replies: readonly unknown[],
  frame: (original: string) => string,
): Piece {
  return {
    first: id,
    agents: { ...inner.agents, [id]: keys },
    replies: { ...inner.replies, [id]: replies },
    given(input, original, where) {
      const rest = inner.given(frame(original), original, where);
      return {
        ...rest,
        inputs: { ...rest.inputs, [id]: [input] },
        calls: rest.calls + replies.length,
        path: [id, ...rest.path],
        handoffs: 1 + rest.handoffs,
      };
    },
  };
}

/** Something else is heard on the way, and the agent answers itself. */
function calling(
  id: string,
  inner: Piece,
  keys: string,
  asking: readonly unknown[],
  hear: (input: string, original: string, where: Where) => { readonly heard: Outcome; readonly told: string },
): Piece {
  const answer = `${id} has concluded.`;
  const replies = [...asking, say(answer)];
  return {
    first: id,
    agents: { ...inner.agents, [id]: keys },
    replies: { ...inner.replies, [id]: replies },
    given(input, original, where) {
      const { heard, told } = hear(input, original, where);
      const inputs = { ...heard.inputs, [id]: [told] };
      const calls = heard.calls + replies.length;
      return { inputs, answer, turns: replies.length, calls, path: [id], handoffs: 0 };
    },
  };
}

/** A piece in a crew: what the crew's files are, what is said, and what is to come of a run. */
export interface Placed {
  readonly files: Readonly<Record<string, string>>;
  readonly replies: Piece["replies"];
  readonly expected: Omit<Outcome, "turns">;
}

/** The places in a crew at which something may work. */
export const placed: Readonly<Record<string, (piece: Piece) => Placed>> = {
  "as the entry": (piece) => ({
    files: crewFiles("main", piece.first, piece.agents),
    replies: piece.replies,
    expected: piece.given("go", "go", { crew: "main" }),
  }),
  "in a group": (piece) => {
    const agents = { ...piece.agents, start: "", other: "", end: "" };
    const routing = `routing:
  signals: { start: [{ signal: "[GO]", target: all }] }
  parallel_groups: { all: { agents: [${piece.first}, other], wait_for_all: true, next_agent: end } }`;
    const heard = piece.given("on [GO]", "go", { callPath: `main/${piece.first}` });
    const join = ["[PARALLEL RESULTS]", `[${piece.first}]\n${heard.answer}`, "[other]\nhm", "[END PARALLEL RESULTS]"];
    return {
      files: crewFiles("main", "start", agents, routing),
      replies: { ...piece.replies, start: [say("on [GO]")], other: [say("hm")], end: [say("the end")] },
      expected: {
        inputs: { ...heard.inputs, start: ["go"], other: ["on [GO]"], end: [join.join("\n\n")] },
        answer: "the end",
        calls: heard.calls + 3,
        path: ["start", "all", "end"],
        handoffs: 2,
      },
    };
  },
  "in a sub-crew": (piece) => {
    const routing = `sub_crews: { lab: { config_path: ./lab } }
routing: { signals: { start: [{ signal: "[LAB]", target_crew: lab, return_to: end }] } }`;
    const heard = piece.given("on [LAB]", "on [LAB]", { crew: "lab" });
    const lab = Object.entries(crewFiles("lab", piece.first, piece.agents));
    return {
      files: {
        ...crewFiles("main", "start", { start: "", end: "" }, routing),
        ...Object.fromEntries(lab.map(([file, text]) => [`lab/${file}`, text])),
      },
      replies: { ...piece.replies, start: [say("on [LAB]")], end: [say("the end")] },
      expected: {
        inputs: { ...heard.inputs, start: ["go"], end: [heard.answer] },
        answer: "the end",
        calls: heard.calls + 2,
        path: ["start", "lab", "end"],
        handoffs: 2,
      },
    };
  },
};

function crewFiles(name: string, entry: string, agents: Piece["agents"], routing = ""): Record<string, string> {
  const ids = Object.keys(agents);
  const files = ids.map((id) => [`agents/${id}.md`, `---\ndescription: ${id}\n${agents[id]}\n---\nWork.\n`]);
  return {
    "crew.yaml": `version: "2.0"\nname: ${name}\nentry_point: ${entry}\nagents: [${ids}]\n${routing}
settings: { on_no_signal: stop, max_handoffs: 50 }\n`,
    ...Object.fromEntries(files),
  };
}
