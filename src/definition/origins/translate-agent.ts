import { extname } from "node:path";
import type { AgentReading } from "../agent-reading.ts";
import type { Source } from "../source.ts";
import type { MapNode } from "../yaml-node.ts";
import { aiAgent, readAiAgent, readAiPrompt } from "./ai-agent.ts";
import { goAgentic, isGoAgent, readGoAgent } from "./go-agentic.ts";
import type { Origin } from "./origin.ts";

/** An agent's file in our keys. */
export interface TranslatedAgent {
  readonly root: MapNode;
  /** The prompt behind the frontmatter; undefined in a file of YAML. */
  readonly body: string | undefined;
  /** The system that the file was written for, if that is another one. */
  readonly origin: Origin | undefined;
}

/** A Markdown file as the system that it was written for reads it. */
export function translateMarkdown(
  source: Source,
  tree: MapNode,
  bodyStart: number,
  scope: AgentReading,
): TranslatedAgent {
  if (extname(source.file) === ".ai") {
    const root = readAiAgent(tree, { source, reporter: scope.reporter, origin: aiAgent }, scope);
    return { root, body: readAiPrompt(source, bodyStart, root, scope), origin: aiAgent };
  }
  return { root: tree, body: source.text.slice(bodyStart), origin: undefined };
}

/** A YAML file as the system that it was written for reads it. */
export function translateYaml(source: Source, tree: MapNode, scope: AgentReading): TranslatedAgent {
  const origin = scope.crewOrigin ?? (isGoAgent(tree) ? goAgentic : undefined);
  const reading = { source, reporter: scope.reporter, origin };
  return { root: origin === undefined ? tree : readGoAgent(tree, reading), body: undefined, origin };
}
