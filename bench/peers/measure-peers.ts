import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "../report.ts";

/** What a peer is measured at inside its own process. */
export interface ChainFigures {
  /** CPU of a chain of 10 agents with an instant model, divided by 10. */
  readonly microsecondsPerHandoff: number;
  /** The same with 1,000 messages of history. */
  readonly microsecondsPerHandoffWithHistory: number;
  /** Wall time of 1,000 concurrent runs of 5 agents with models that take 20 ms. */
  readonly concurrentMs: number;
}

export interface PeerFigures extends ChainFigures {
  readonly name: string;
  readonly version: string;
  /** Wall time of importing it, over `node -e 0`. */
  readonly importMs: number;
}

interface Peer {
  readonly name: string;
  readonly package: string;
  /** What its chain imports of it, where that is not the package itself. */
  readonly entries?: readonly string[];
  /** Its file in chains/. */
  readonly chain: string;
}

const peers: readonly Peer[] = [
  { name: "Inngest AgentKit", package: "@inngest/agent-kit", chain: "agent-kit" },
  { name: "AI SDK generateText", package: "ai", chain: "ai-sdk" },
  { name: "OpenAI Agents", package: "@openai/agents", chain: "openai-agents" },
  { name: "Google ADK", package: "@google/adk", chain: "google-adk" },
  { name: "LangGraph", package: "@langchain/langgraph", chain: "langgraph" },
  {
    name: "Mastra",
    package: "@mastra/core",
    entries: ["@mastra/core/agent", "@mastra/core/workflows"],
    chain: "mastra",
  },
];

const folder = import.meta.dirname;

/** Nothing of the caller's environment, whose keys would have peers report to their makers; and tracing off in each. */
const environment = {
  NODE_ENV: "production",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  LANGSMITH_TRACING: "false",
  LANGCHAIN_TRACING_V2: "false",
  MASTRA_TELEMETRY_DISABLED: "1",
};

/** The figures of the peers that are installed beside this file, each measured in a process of its own, one by one. */
export async function measurePeers(): Promise<PeerFigures[]> {
  const figures: PeerFigures[] = [];
  for (const peer of peers.filter(isInstalled)) figures.push(await measurePeer(peer));
  return figures;
}

/** Names of the peers that cannot be measured: `npm ci` in this folder installs them. */
export function missingPeers(): string[] {
  return peers.filter((peer) => !isInstalled(peer)).map(({ name }) => name);
}

async function measurePeer(peer: Peer): Promise<PeerFigures> {
  const chain: ChainFigures = JSON.parse(await runNode(["measure-one.ts", peer.chain]));
  return { name: peer.name, version: versionOf(peer), ...chain, importMs: await measureImport(peer) };
}

/** In turns with the bare start, so that both see the same machine. */
async function measureImport(peer: Peer): Promise<number> {
  const overBare: number[] = [];
  const imports = (peer.entries ?? [peer.package]).map((entry) => `import ${JSON.stringify(entry)};`);
  const load = ["--input-type=module", "-e", `${imports.join("")} process.exit()`];
  await runNode(load);
  while (overBare.length < 5) {
    const bare = await wallOf(["-e", "0"]);
    overBare.push((await wallOf(load)) - bare);
  }
  return median(overBare);
}

async function wallOf(args: readonly string[]): Promise<number> {
  const before = performance.now();
  await runNode(args);
  return performance.now() - before;
}

async function runNode(args: readonly string[]): Promise<string> {
  const options = { cwd: folder, env: environment, timeout: 60_000 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout;
}

function isInstalled(peer: Peer): boolean {
  return existsSync(manifestOf(peer));
}

function versionOf(peer: Peer): string {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifestOf(peer), "utf8"));
  return version;
}

function manifestOf({ package: name }: Peer): string {
  return join(folder, "node_modules", name, "package.json");
}
