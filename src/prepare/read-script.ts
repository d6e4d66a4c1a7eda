import { basename, dirname } from "node:path";
import { readMap } from "../definition/agent-file.ts";
import { findEntry } from "../definition/fields.ts";
import { createProblemLog } from "../definition/problem-log.ts";
import { MAX_REPLIES_BYTES, readText } from "../definition/read-text.ts";
import { createSource } from "../definition/source.ts";
import type { Script } from "../models/script-model.ts";
import { ConfigurationError } from "../vocabulary/errors.ts";
import { buildScript } from "./build-script.ts";
import { scriptShape } from "./script-shape.ts";

const HINT =
  'A script lists the replies of each agent, in order, such as triage: ["It is broken. [FIX]"]; see docs/scenarios.md';

/** Reads replies from a file: a map of agents to their replies, or the `script` of a scenario. */
export function readScript(file: string): Script {
  const log = createProblemLog();
  const reporter = log.reporter(true);
  const result = readText(file, dirname(file), MAX_REPLIES_BYTES);
  if ("problem" in result) throw new ConfigurationError(`the script ${file} ${result.problem.message}`, []);
  const source = createSource(file, result.text);
  const root = readMap(source, { start: 0, end: source.text.length }, reporter);
  const node = root === undefined ? undefined : (findEntry(root, "script")?.value ?? root);
  const keys = node === undefined ? undefined : scriptShape.read(node, "script", { source, reporter });
  if (keys !== undefined && !reporter.hasErrors()) return buildScript(keys);
  const diagnostics = log.diagnostics((each) => basename(each));
  throw new ConfigurationError(`${basename(file)} is not a script`, diagnostics, HINT);
}
