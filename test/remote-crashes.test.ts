import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openPeer } from "./a2a-peer.ts";
import { writeCrew } from "./write-crew.ts";

const baton = fileURLToPath(new URL("../bin/baton.js", import.meta.url));

interface Done {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a command, and lets `onSpawn` have the process. */
async function run(
  folder: string,
  args: readonly string[],
  onSpawn: (kill: () => void) => void = () => {},
): Promise<Done> {
  const env = { ...process.env, BATON_HOME: folder };
  const child = spawn(process.execPath, [baton, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  onSpawn(() => child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      text += part;
    });
  const [code] = await once(child, "close");
  return { code, text };
}

/** The moments of an exchange at which a process may die: before the peer handles a request, and after. */
const moments = ["before SendMessage", "after SendMessage", "before GetTask", "after GetTask"];

it.each(moments)(
  "a process that is killed %s continues with the same task, and says nothing twice",
  async (moment) => {
    const [when, what] = moment.split(" ");
    let kill = () => {};
    let isDead = false;
    const die = () => {
      if (isDead) return false;
      isDead = true;
      kill();
      return true;
    };
    const said: string[] = [];
    const peer = await openPeer({
      async answer(text) {
        said.push(text);
        // Longer than until the task is asked for again.
        await new Promise((done) => setTimeout(done, 300));
        return "Five.";
      },
      intercept: (method) => when === "before" && method === what && die(),
      lie(method, result) {
        if (when === "after" && method === what) die();
        return result;
      },
    });
    const folder = writeCrew({
      "package.json": "{}",
      "crew.yaml": `version: "2.0"
name: office
agents: [clerk, { id: desk, a2a: "${peer.card}", is_terminal: true }]
routing: { signals: { clerk: [{ signal: "[DESK]", target: desk }] } }
`,
      "agents/clerk.md": "---\nid: clerk\nmodels: [openai/x]\n---\nAsk. [DESK]",
      "replies.yaml": 'clerk: ["Ask. [DESK]"]\n',
    });
    const first = await run(folder, ["run", ".", "x", "--script", "replies.yaml", "--yes"], (own) => {
      kill = own;
    });
    expect([isDead, first.code]).toEqual([true, null]);
    const second = await run(folder, ["resume", "last", "--wait", "--yes"]);
    expect(second.text).toContain("Five.");
    expect(second.code).toBe(0);
    expect(said).toHaveLength(1);
  },
  60_000,
);

it("a peer that dies fails the call with its name", async () => {
  const peer = await openPeer({
    intercept(method, response) {
      if (method === "card") return false;
      response.destroy();
      return true;
    },
  });
  const folder = writeCrew({
    "package.json": "{}",
    "crew.yaml": `version: "2.0"\nname: office\nagents: [{ id: desk, a2a: "${peer.card}" }]\n`,
  });
  const { code, text } = await run(folder, ["run", ".", "x", "--yes"]);
  expect(code).toBe(1);
  expect(text).toMatch(/remote agent 'desk' \(127\.0\.0\.1:\d+\) could not be called/);
}, 60_000);
