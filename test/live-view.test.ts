import { describe, expect, it } from "vitest";
import { countCells } from "../src/cli/live/cells.ts";
import { watch } from "./watch-panel.ts";

describe("a group", () => {
  const crew = `
routing:
  signals: { chair: [{ signal: "[ASK]", target: desks, description: All are asked }] }
  parallel_groups: { desks: { agents: [ann, 月], wait_for_all: true, timeout_seconds: 90, next_agent: end } }`;
  const prices = "cost_limits: { input_token_price_per_million: 1000, output_token_price_per_million: 1000 }";
  const agents = { chair: prices, ann: prices, 月: prices, end: `is_terminal: true\n${prices}` };
  const replies = `
chair: [{ text: "[ask]", usage: { input: 5, output: 5 }, latency_ms: 1200 }]
ann: [{ text: "Một buổi sáng 👩‍👩‍👧 in a line that is too long for half a screen. [OK]", usage: { input: 1234, output: 1 }, latency_ms: 400 }]
月: [{ text: "月が海を引く。月が海を引く。月が海を引く。月が海を引く。月が海を引く。", latency_ms: 61500 }]
end: [All heard.]`;
  const isAnnsAnswer = ({ type, agent }: { type: string; agent?: string | undefined }) =>
    type === "agent.completed" && agent === "ann";

  it("stands one below the other where there is little room", async () => {
    const { screen, peeked } = await watch(crew, agents, replies, { peekAt: isAnnsAnswer });
    expect(peeked).toEqual([
      `
╭ desks  ⠇ 0s · 1,235 tokens · $1.24
│ • ann  ✓ 0.4s                   Một buổi sáng 👩‍👩‍👧 in a line that is too long
│ • 月   ⠇ thinks · 0s

panel · 1s · 1 handoff · 1,245 tokens · $1.25`.trimStart(),
    ]);
    expect(screen).toBe(
      `
panel  Begin

╭ chair  ✓ 1.2s · 10 tokens · $0.0100
╰─ [ASK] ≈ [ask] ──▶ desks  All are asked

╭ desks  ✓ 1m 02s · 1,235 tokens · $1.24
│ • ann  ✓ 0.4s · 1,235 tokens · $1.24
│   Một buổi sáng 👩‍👩‍👧 in a line that is too long for half a screen. [OK]
│   ! [OK] is not bound for agent 'ann': it was recorded and did nothing
│ • 月  ✓ 1m 02s · $0.0000
│   月が海を引く。月が海を引く。月が海を引く。月が海を引く。月が海を引く。
╰──▶ end  group desks joined

╭ end  ✓ 0.0s · $0.0000
│ All heard.
╰──■ end
`.trimStart(),
    );
  });

  it("stands side by side where there is room", async () => {
    const { screen, peeked } = await watch(crew, agents, replies, { columns: 199, peekAt: isAnnsAnswer });
    expect(peeked).toEqual([
      `
╭ desks  ⠇ 0s · 1,235 tokens · $1.24
│ ann  ✓ 0.4s · 1,235 tokens · $1.24                                                               │ 月  ⠇ thinks · 0s · script
│ Một buổi sáng 👩‍👩‍👧 in a line that is too long for half a screen. [OK]                              │

panel · 1s · 1 handoff · 1,245 tokens · $1.25`.trimStart(),
    ]);
    expect(screen).toContain(
      `
╭ desks  ✓ 1m 02s · 1,235 tokens · $1.24
│ ann  ✓ 0.4s · 1,235 tokens · $1.24                                                               │ 月  ✓ 1m 02s · $0.0000
│ Một buổi sáng 👩‍👩‍👧 in a line that is too long for half a screen. [OK]                              │ 月が海を引く。月が海を引く。月が海を引く。月が海を引く。月が海を引く。
│ ! [OK] is not bound for agent 'ann': it was recorded and did nothing                             │
╰──▶ end  group desks joined
`,
    );
  });

  it("says of a member that is no longer needed that it was stopped", async () => {
    const { screen } = await watch(crew.replace("wait_for_all: true, ", ""), agents, replies, {});
    expect(screen).toContain("│ • 月  ■ stopped · 0.4s\n│   enough members of the group have answered\n╰──▶ end");
  });
});

describe("an agent", () => {
  const agents = { boss: "tools: [lookup]\nagents: [clerk]", clerk: "description: d\ntools: [lookup]" };
  const replies = `
boss:
  - { error: { status: 503, message: "try\\e[31m later\\a", retry_after: 2 } }
  - { text: "One moment.", tools: [{ name: agent__clerk, args: { prompt: "2+2?" } }, { name: nothing }] }
  - { text: "It is \\e]0;owned\\x074.\\r\\n\\n\\e[2J\\x9b\\u202e[END]", latency_ms: 300 }
clerk:
  - { tools: [{ name: lookup, args: { "q\\e[H": 1 } }], latency_ms: 100 }
  - { text: Four., usage: { input: 10, output: 2 } }`;

  it("is shown with its tools, its sub-agents and its troubles, and nothing it writes moves the cursor", async () => {
    const signals = `routing: { signals: { boss: [{ signal: "[END]", target: "" }] } }`;
    const { screen, summary } = await watch(signals, agents, replies, {});
    expect(screen).toBe(
      `
panel  Begin

╭ boss  ✓ 2.4s
│ ! script: try\\x1b[31m later\\x07
│ One moment.
│ • clerk  ✓ 0.1s · 12 tokens
│   › lookup {"q\\u001b[H":1}  0.0s  4\\x1b[2J
│
│   Four.
│ ✗ nothing  0.0s  there is no tool 'nothing'; there are lookup, agent__clerk
│
│ It is \\x1b]0;owned\\x074.
│
│ \\x1b[2J\\u009b\\u202e
╰─ [END] ──■ end  Ends the run
`.trimStart(),
    );
    expect(summary).toBe(
      `
✓ completed: a signal ended it

  path      boss
  handoffs  0
  tokens    12, of which 10 in and 2 out
  cost      unknown: 4 calls without a price
  time      2.4s`.trimStart(),
    );
  });

  it("says what it is at while it is at it", async () => {
    const { peeked } = await watch("", agents, replies, {
      peekAt: ({ type, path }) => type === "tool.called" && path.endsWith("/a/t0/c0"),
    });
    expect(peeked).toEqual([
      `
╭ boss  ⠋ asks clerk · 2s · script
│ ! script: try\\x1b[31m later\\x07
│ One moment.
│ • clerk  ⠋ calls lookup · 0s · script
│   ⠋ lookup {"q\\u001b[H":1}  0s
│ ✗ nothing  0.0s  there is no tool 'nothing'; there are lookup, agent__clerk

panel · 2s · 0 handoffs · 0 tokens · cost unknown`.trimStart(),
    ]);
  });

  it("that fails says why, and so does the end", async () => {
    const failing = 'boss: [{ error: { status: 401, message: "no key" } }]';
    const { screen, summary } = await watch("", agents, failing, { columns: 40 });
    expect(screen).toContain("╭ boss  ✗ failed · 0.0s\n│ ! script: no key\n│ the model of agent 'boss' failed:");
    expect(summary).toMatch(/^✗ failed: the model of agent 'boss'\n {2}failed: script: no key\n/);
  });
});

describe("what follows an answer", () => {
  it("is told: handoffs without a signal, agents asked again, limits", async () => {
    const crew = `
routing: { signals: { a: [{ signal: "[GO]", target: b }] } }
settings: { on_no_signal: repair, max_handoffs: 1 }`;
    const replies = "a: [hm, again]\nb: ['[DONE] well']\nc: [never]";
    const { screen, summary } = await watch(crew, { a: "", b: "", c: "" }, replies, {});
    expect(screen).toBe(
      `
panel  Begin

╭ a  ✓ 0.0s
│ hm
╰──↺ a  asked again

╭ a  ✓ 0.0s
│ again
╰╌╌▷ b  no signal

╭ b  ✓ 0.0s
│ [DONE] well
├─ !  [DONE] is not bound for agent 'b': it was recorded and did nothing
├─ !  no handoff to c: max_handoffs is 1
╰──■ end
`.trimStart(),
    );
    expect(summary).toMatch(/^■ stopped: reached max_handoffs \(1\) of crew 'panel': the handoff from 'b' to\n/);
  });
});

describe("the foot of the screen", () => {
  const answer = Array.from({ length: 60 }, (_, index) => `line ${index} of a very long answer, 月 and all`).join(
    "\\n",
  );
  const replies = `a: ["${answer}"]`;

  it.each([1, 3, 5, 10, 24])("keeps to %i rows, and shows the newest of what is written", async (rows) => {
    for (const columns of [1, 9, 79, 199]) {
      const { peeked } = await watch("", { a: "" }, replies, {
        rows,
        columns,
        peekAt: ({ type }) => type === "text.delta",
      });
      const [region = ""] = peeked;
      const lines = region.split("\n");
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
      expect(Math.max(...lines.map(countCells))).toBeLessThanOrEqual(Math.max(4, columns));
      if (rows > 5 && columns > 40) expect(lines.at(-3)).toBe("│ line 59 of a very long answer, 月 and all");
    }
  });
});
