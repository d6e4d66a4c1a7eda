/** The kinds of sections that may contain another agent's words. */
type WordsOf =
  | "response"
  | "answer"
  | "message"
  | "advisory"
  | "prior_work"
  | "handoff_reason"
  | "handoff_context"
  | "earlier_context"
  | "clarification_request";

/**
 * A part of an agent's input, with the agent whose words it is. A `plain` section has no frame. A `response` has a heading in
 * Markdown and a block in tags; an `answer` has only the block.
 */
export type Section =
  | { readonly kind: "plain" | "original_user_request" | "task" | "latest_input"; readonly text: string }
  | { readonly kind: WordsOf; readonly agent: string; readonly text: string }
  | {
      readonly kind: "team_message";
      readonly agent: string;
      readonly text: string;
      readonly seq: number;
      readonly type: string;
      readonly turn: number;
    };

/** Headings that appear once above all sections of a kind. */
const above: Partial<Record<Section["kind"], string>> = {
  advisory: "## ANALYSIS GATHERED",
  team_message: "## TEAM MESSAGES",
};

/** Joins an agent's input under Markdown headings. */
export function frameInMarkdown(sections: readonly Section[]): string {
  let text = "";
  let kind: Section["kind"] | undefined;
  for (const section of sections) {
    const common = section.kind === kind ? undefined : above[section.kind];
    const heading = formatHeading(section);
    const words = section.kind === "handoff_reason" ? `Handoff reason: ${section.text}` : section.text;
    if (kind !== undefined) text += "\n\n";
    if (common !== undefined) text += `${common}\n\n`;
    text += heading === undefined ? words : `${heading}\n\n${words}`;
    kind = section.kind;
  }
  return text;
}

function formatHeading(section: Section): string | undefined {
  switch (section.kind) {
    case "plain":
    case "task":
    case "answer":
    case "handoff_reason":
      return undefined;
    case "original_user_request":
      return "## ORIGINAL USER REQUEST";
    case "response":
      return `## RESPONSE FROM AGENT \`${section.agent}\``;
    case "message":
      return `## MESSAGE FROM AGENT \`${section.agent}\` WHO ROUTED THIS REQUEST TO YOU`;
    case "prior_work":
      return `Prior work by ${section.agent}:`;
    case "latest_input":
      return "Latest input:";
    case "handoff_context":
      return "Context:";
    case "earlier_context":
      return `Context from ${section.agent}:`;
    case "clarification_request":
      return `## CLARIFICATION REQUEST FROM ${section.agent}`;
    case "advisory":
      return `### From ${section.agent}`;
    case "team_message":
      return `### #${section.seq} from ${section.agent} (${section.type}, turn ${section.turn})`;
  }
}

/** Names of blocks, if they differ from the kind. */
const tags: Partial<Record<Section["kind"], string>> = {
  task: "original_user_request",
  answer: "response",
  earlier_context: "handoff_context",
};

/** Joins an agent's input as blocks. Without the nonce, nobody can forge the tags. */
export function frameInTags(sections: readonly Section[], nonce: string): string {
  return sections
    .map((section) => {
      if (section.kind === "plain") return section.text;
      const tag = `${tags[section.kind] ?? section.kind}__${nonce}`;
      const facts = Object.entries(section).filter(([key]) => key !== "kind" && key !== "text");
      const attributes = facts.map(([key, value]) => ` ${key}="${escapeText(String(value))}"`).join("");
      return `<${tag}${attributes}>${section.text}</${tag}>`;
    })
    .join("\n\n");
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
