import type { MapEntry, YamlNode } from "../definition/yaml-node.ts";
import { makeEntry, readClass, readConfig } from "./autogen-agents.ts";
import { findChild, type Noter, scalarNumber, textAt } from "./foreign-source.ts";

/** When a team ends. */
export interface Termination {
  /** Words that end it, as names of signals. */
  readonly words: readonly string[];
  readonly maxRounds: number | undefined;
}

/** The conditions that end a team: words become signals, numbers of messages and turns the most rounds. */
export function readTermination(node: YamlNode | undefined, maxTurns: YamlNode | undefined, noter: Noter): Termination {
  const words: string[] = [];
  const rounds: number[] = [];
  const turns = scalarNumber(maxTurns);
  if (turns !== undefined && turns >= 1) rounds.push(Math.floor(turns));
  const read = (condition: YamlNode, depth: number): void => {
    const config = readConfig(condition);
    const nested = findChild(config, "conditions");
    if (nested?.kind === "list" && depth < 8) {
      for (const each of nested.items) read(each, depth + 1);
      return;
    }
    readOne(condition, words, rounds, noter);
  };
  if (node !== undefined) read(node, 0);
  return { words: [...new Set(words)], maxRounds: rounds.length === 0 ? undefined : Math.min(...rounds) };
}

function readOne(condition: YamlNode, words: string[], rounds: number[], noter: Noter): void {
  const entry: MapEntry = { ...makeEntry(condition), key: readClass(condition) };
  const config = readConfig(condition);
  const text = textAt(config, "text")?.replace(/^\[|\]$/g, "");
  const messages = scalarNumber(findChild(config, "max_messages"));
  if (text !== undefined && /^[\p{L}\p{M}\p{N}_ -]{1,64}$/u.test(text) && text.trim() !== "") {
    words.push(text);
    noter.map(entry, `the signal \`[${text}]\` of every agent, which ends the run`);
  } else if (messages !== undefined && messages >= 1) {
    rounds.push(Math.floor(messages));
    noter.map(entry, "`settings.max_rounds`");
  } else
    noter.decide(
      entry,
      `the condition ${entry.key} ends the team there`,
      "`settings.max_rounds`, `timeout_seconds` or a signal ends the run here",
    );
}
