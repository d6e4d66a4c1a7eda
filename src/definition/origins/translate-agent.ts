import { extname } from "node:path";
import type { AgentReading } from "../agent-reading.ts";
import { findEntry } from "../fields.ts";
import type { Source } from "../source.ts";
import type { MapNode } from "../yaml-node.ts";
import { aiAgent, readAiAgent, readAiPrompt } from "./ai-agent.ts";
import { claudeCode, readClaudeAgent } from "./claude-code.ts";
import { copilot, findCopilotServers, holdsHandoffs, readCopilotAgent } from "./copilot.ts";
import { goAgentic, isGoAgent, readGoAgent } from "./go-agentic.ts";
import { opencode, readOpencodeAgent } from "./opencode.ts";
import type { Origin } from "./origin.ts";
import { scalarText } from "./product-keys.ts";
import { recognizeProduct } from "./recognize-product.ts";

/** An agent's file in our keys. */
export interface TranslatedAgent {
  readonly root: MapNode;
  /** The prompt behind the frontmatter; undefined in a file of YAML. */
  readonly body: string | undefined;
  /** The system that the file was written for, if that is another one. */
  readonly origin: Origin | undefined;
  /** What the file says of the crew that it is in. */
  readonly crew?: CrewNotes;
}

/** What an agent's file of another system says that is a crew's matter here. */
export interface CrewNotes {
  /** MCP servers that the file brings. */
  readonly servers?: MapNode | undefined;
  /** Whether a person approves its moves. */
  readonly isGated?: boolean;
  /** Whether it begins, or is called by those that begin. */
  readonly role?: "primary" | "subagent" | undefined;
}

/** A Markdown file as the system that it was written for reads it. */
export function translateMarkdown(
  source: Source,
  tree: MapNode,
  bodyStart: number,
  scope: AgentReading,
): TranslatedAgent {
  const { reporter } = scope;
  if (extname(source.file) === ".ai") {
    const root = readAiAgent(tree, { source, reporter, origin: aiAgent }, scope);
    return { root, body: readAiPrompt(source, bodyStart, root, scope), origin: aiAgent };
  }
  const body = source.text.slice(bodyStart);
  const origin = scope.isLone ? recognizeProduct(source.file, tree) : undefined;
  const reading = { source, reporter, origin };
  if (origin === claudeCode) return { root: readClaudeAgent(tree, reading), body, origin };
  if (origin === copilot) {
    const crew = { servers: findCopilotServers(tree, reading), isGated: holdsHandoffs(tree) };
    return { root: readCopilotAgent(tree, reading), body, origin, crew };
  }
  if (origin !== opencode) return { root: tree, body, origin: undefined };
  const mode = scalarText(findEntry(tree, "mode")?.value);
  const role = mode === "primary" || mode === "subagent" ? mode : undefined;
  return { root: readOpencodeAgent(tree, reading), body, origin, crew: { role } };
}

/** A YAML file as the system that it was written for reads it. */
export function translateYaml(source: Source, tree: MapNode, scope: AgentReading): TranslatedAgent {
  const origin = scope.crewOrigin ?? (isGoAgent(tree) ? goAgentic : undefined);
  const reading = { source, reporter: scope.reporter, origin };
  return { root: origin === undefined ? tree : readGoAgent(tree, reading), body: undefined, origin };
}
