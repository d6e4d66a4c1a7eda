import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore, type Store, script } from "../src/index.ts";
import { startServer } from "../src/server/start-server.ts";
import { collect } from "./heap.ts";

/** A server in a process of its own, for measurements that need its memory alone. The process that starts it sends `ServerRequest`s. */
export interface ServerSetup {
  readonly folder: string;
  readonly secret: string;
  /** How many turns a run of the crew `pair` takes, and how long each. */
  readonly turns: number;
  readonly turnMs: number;
  /** How many characters each turn of the crew `loud` says. */
  readonly loudTurns: number;
  readonly loudCharacters: number;
}

export type ServerRequest = "figures" | "stored" | "stop";

export interface ServerFigures {
  readonly rssMb: number;
  readonly heapMb: number;
}

if (process.argv[2] !== undefined) await serve(JSON.parse(process.argv[2]));

async function serve({ folder, secret, ...setup }: ServerSetup): Promise<void> {
  const { turns, turnMs, loudTurns, loudCharacters } = setup;
  const loud = "x".repeat(loudCharacters);
  const replies = {
    ...repliesOf(["left", "right"], turns, turnMs, "on"),
    ...repliesOf(["call", "echo"], loudTurns, 20, loud),
  };
  const paths = [
    writePair(join(folder, "pair"), "pair", ["left", "right"]),
    writePair(join(folder, "loud"), "loud", ["call", "echo"]),
  ];
  const storedAt: [string, number][] = [];
  const store = timed(await openSqliteStore(join(folder, "journal.sqlite")), storedAt);
  let highestRss = 0;
  setInterval(() => {
    highestRss = Math.max(highestRss, process.memoryUsage().rss);
  }, 100).unref();
  const server = await startServer({
    paths,
    crews: { workingDirectory: folder, root: undefined, setup: { models: { script: script(replies), variables: {} } } },
    ...{ store, secret, host: "127.0.0.1", port: 0, tokensFile: undefined, origins: [], allowedHosts: [] },
    ...{ publicUrl: undefined, trustsProxy: false, maxRuns: 200, maxBody: 1_048_576, recovers: true },
    ...{ isMetricsPublic: true, isLogJson: false, watch: false, variables: {}, write: () => {} },
    ...{ a2aCrew: undefined, pushAllow: [] },
  });
  process.on("message", async (request: ServerRequest) => {
    if (request === "stop") {
      await server.stop(0);
      await store.close();
      process.exit(0);
    }
    if (request === "stored") process.send?.(storedAt.splice(0));
    else {
      collect();
      const figures: ServerFigures = { rssMb: highestRss / 2 ** 20, heapMb: process.memoryUsage().heapUsed / 2 ** 20 };
      process.send?.(figures);
    }
  });
  process.send?.(server.url);
}

/** Two agents that pass the work to each other until the script says that it is done. */
function writePair(folder: string, name: string, [first, second]: readonly [string, string]): string {
  mkdirSync(join(folder, "agents"), { recursive: true });
  writeFileSync(join(folder, "baton.yaml"), "");
  for (const id of [first, second])
    writeFileSync(join(folder, "agents", `${id}.md`), `---\nid: ${id}\nmodels: [openai/x]\n---\nWork. [OVER] [DONE]`);
  writeFileSync(
    join(folder, "crew.yaml"),
    `version: "2.0"
name: ${name}
agents: [${first}, ${second}]
routing:
  signals:
    ${first}: [{ signal: "[OVER]", target: ${second} }, { signal: "[DONE]", target: "" }]
    ${second}: [{ signal: "[OVER]", target: ${first} }, { signal: "[DONE]", target: "" }]
settings: { max_handoffs: 100000, max_rounds: 100000 }
`,
  );
  return folder;
}

function repliesOf([first, second]: readonly [string, string], turns: number, latencyMs: number, words: string) {
  const reply = (turn: number) => ({ text: `${words} [${turn === turns - 1 ? "DONE" : "OVER"}]`, latencyMs });
  const all = Array.from({ length: turns }, (_, turn) => reply(turn));
  return { [first]: all.filter((_, turn) => turn % 2 === 0), [second]: all.filter((_, turn) => turn % 2 === 1) };
}

/** The same store, which notes when each event is stored. */
function timed(store: Store, storedAt: [string, number][]): Store {
  const append: Store["append"] = async (lease, events, ...others) => {
    await store.append(lease, events, ...others);
    const now = performance.timeOrigin + performance.now();
    if (storedAt.length < 100_000) for (const { id } of events) storedAt.push([id, now]);
  };
  return { ...store, append };
}
