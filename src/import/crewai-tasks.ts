import type { MapEntry } from "../definition/yaml-node.ts";
import type { Notes, OriginalPlace, Plain } from "./crew-plan.ts";
import { fillBraces } from "./crewai-agents.ts";
import {
  createNoter,
  type ForeignSource,
  findChild,
  isTrue,
  listEntries,
  listNames,
  type Noter,
  scalarText,
  textAt,
} from "./foreign-source.ts";
import { nameFile } from "./name-files.ts";
import { locateSpan } from "./original-text.ts";

/** A task of CrewAI in our words. */
export interface CrewTask {
  readonly id: string;
  /** What the file calls it. */
  readonly name: string;
  readonly description: string | undefined;
  readonly expected: string | undefined;
  /** The agent that does it, where the file says so. */
  readonly agent: string | undefined;
  /** The tasks whose results it works from. */
  readonly context: readonly string[];
  readonly tools: readonly string[];
  readonly isAsync: boolean;
  readonly asksHuman: boolean;
  readonly output: Plain | undefined;
  readonly entry: MapEntry;
  readonly from: OriginalPlace;
}

/** The tasks of a `tasks.yaml`. */
export function readCrewTasks(file: ForeignSource, notes: Notes): CrewTask[] {
  const noter = createNoter(file, notes);
  const taken = new Set<string>();
  return file.tree.entries.flatMap((entry): CrewTask[] => {
    if (entry.value.kind === "map") return [readTask(entry, nameFile(entry.key, taken), file, noter)];
    noter.idle(entry, "it is not a task");
    return [];
  });
}

function readTask(entry: MapEntry, id: string, { source }: ForeignSource, noter: Noter): CrewTask {
  const { value } = entry;
  const filled = (key: string) => {
    const text = textAt(value, key);
    return text === undefined ? undefined : fillBraces(text.replace(/^"""\s*|\s*"""$/g, ""));
  };
  for (const each of listEntries(value)) noteKey(each, entry, noter);
  const description = filled("description");
  if (description === undefined) noter.decide(entry, `the task '${entry.key}' has no description`, "write its prompt");
  return {
    ...{ id, name: entry.key, description, entry },
    expected: filled("expected_output"),
    agent: textAt(value, "agent"),
    context: listNames(findChild(value, "context")),
    tools: listNames(findChild(value, "tools")),
    isAsync: isTrue(findChild(value, "async_execution")),
    asksHuman: isTrue(findChild(value, "human_input")),
    output: isTrue(findChild(value, "markdown")) ? "markdown" : undefined,
    from: locateSpan(source, entry.keySpan),
  };
}

function noteKey(each: MapEntry, { key: task }: MapEntry, noter: Noter): undefined {
  const { key, value } = each;
  const isEmpty = scalarText(value) === undefined && value.kind === "scalar";
  if (isEmpty) return noter.idle(each, "it says nothing");
  switch (key) {
    case "description":
      return noter.map(each, `the task in the prompt of \`${task}\``);
    case "expected_output":
      return noter.map(each, `the expected result in the prompt of \`${task}\``);
    case "agent":
      return noter.map(each, `who speaks in the prompt of \`${task}\``);
    case "context":
      return noter.map(each, `a line of the prompt of \`${task}\`, which sees the results that it names`);
    case "async_execution":
      return noter.map(
        each,
        isTrue(value) ? "a parallel group, where tasks beside it are asynchronous too" : "its place in the order",
      );
    case "human_input":
      return isTrue(value)
        ? noter.map(each, "a pause in which a person reads the answer")
        : noter.idle(each, "nobody is asked");
    case "markdown":
      return isTrue(value) ? noter.map(each, "`output: markdown`") : noter.idle(each, "it is what holds without it");
    case "tools":
      return noter.decide(
        each,
        `the tools of '${task}' live in Python: stubs in tools.ts stand in for them`,
        "write what each does in tools.ts",
      );
    case "output_file":
    case "create_directory":
      return noter.decide(
        each,
        `'${task}' writes its result to ${scalarText(value) ?? "a file"}`,
        'take it from the run: baton run . "…" > file, or give the agent a tool that writes files',
      );
    case "output_json":
    case "output_pydantic":
    case "response_model":
      return noter.decide(
        each,
        `the form of the result of '${task}' is a class in Python`,
        "write its JSON Schema under `output: { schema }`",
      );
    case "callback":
    case "guardrail":
    case "guardrails":
    case "condition":
    case "converter_cls":
      return noter.decide(
        each,
        `\`${key}\` of '${task}' lives in Python`,
        "let an agent that follows check the answer, or a signal decide where it leads",
      );
    default:
      return noter.idle(each, "CrewAI's, without a counterpart here");
  }
}
