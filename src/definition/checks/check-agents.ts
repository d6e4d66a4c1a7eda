import { listReferences } from "../../vocabulary/environment-references.ts";
import { takesFiles } from "../../vocabulary/model-inputs.ts";
import type { AgentFile } from "../agent-file.ts";
import type { CrewParts } from "../crew-parts.ts";
import { findEntry } from "../fields.ts";
import { type Path, placeOfValue } from "../locate.ts";
import { parseModel, scriptFile } from "../parse-model.ts";
import { resolveInside } from "../read-text.ts";
import type { Place } from "../source.ts";
import { isWritten } from "../yaml-node.ts";

/** Models' names, and what only a crew.yaml of version 2.0 must have. */
export function checkAgents(parts: CrewParts): void {
  const { crewFile, directory, placeOf } = parts;
  const { keys, reporter } = crewFile;
  if (keys.version === "2.0" && findEntry(crewFile.root, "name") === undefined && !crewFile.isImplied) {
    reporter.report("missing-field", placeOf([]), "'crew' needs 'name': version 2.0 asks for it");
  }
  if (keys.agents?.length === 0 && !isWritten(findEntry(crewFile.root, "agents")?.value))
    reporter.report("missing-field", placeOf(["agents"]), "'agents' needs at least one agent");
  for (const [index, name] of keys.models.entries()) checkModel(name, placeOf(["models", index]), parts);
  for (const agent of directory.files.values()) {
    checkModels(agent, parts);
    checkFiles(agent, parts);
  }
}

/** An agent that asks for files needs a model that takes some; what nobody knows may take any. */
function checkFiles(agent: AgentFile, { crewFile: { keys, reporter } }: CrewParts): void {
  const { attachments, models, model, primary, backup, provider } = agent.keys;
  const isOther = [primary, backup, provider].some((each) => each !== undefined);
  if (attachments === undefined || attachments === "none" || isOther) return;
  const names = models ?? (model === undefined ? keys.models : [model]);
  if (names.length === 0 || names.some((name) => parseModel(name) === undefined || takesFiles(name))) return;
  const message = `agent '${agent.id}' asks for files, and of its models (${names.join(", ")}) none takes any but text`;
  reporter.report("takes-no-files", placeOfValue(agent, ["attachments"]), message);
}

function checkModels(agent: AgentFile, parts: CrewParts): void {
  const { models, primary, backup, model, provider, provider_url: url } = agent.keys;
  const at = (...path: Path) => placeOfValue(agent, path);
  for (const [index, name] of (models ?? []).entries()) checkModel(name, at("models", index), parts);
  if (primary?.provider === "script") checkScript(primary.model, at("primary", "model"), parts);
  if (backup?.provider === "script") checkScript(backup.model, at("backup", "model"), parts);
  if (provider === "script") checkScript(model, at("model"), parts);
  const [given] = Object.entries({ model, provider, provider_url: url }).filter(([, value]) => value !== undefined);
  const isWhole = model !== undefined && provider === undefined && url === undefined && parseModel(model) !== undefined;
  if (isWhole) checkModel(model, at("model"), parts);
  else if (given !== undefined && (model === undefined || provider === undefined)) {
    const message = "'model' and 'provider' need each other; or write model: provider/model";
    parts.crewFile.reporter.report("bad-model", at(given[0]), message);
  }
}

function checkModel(name: string, place: Place, parts: CrewParts): void {
  const model = parseModel(name);
  if (model?.provider === "script") checkScript(model.model, place, parts);
  if (model !== undefined) return;
  const unset = listReferences(name).map((each) => `'${each}'`);
  const message =
    unset.length === 0
      ? `'${name}' is not a model's name: write provider/model, such as openai/gpt-5`
      : `the model '${name}' needs ${unset.join(" and ")}: set it, and list it under prompt_variables in baton.yaml`;
  parts.crewFile.reporter.report(unset.length === 0 ? "bad-model" : "unset-variable", place, message);
}

/** Whether a script is there shows when it is needed; it must not lead out of the project. */
function checkScript(model: string | undefined, place: Place, { crewFile, root }: CrewParts): void {
  if (model === undefined) return;
  const found = resolveInside(scriptFile(model, crewFile.file), root);
  if (!("problem" in found) || found.problem.code !== "outside-root") return;
  crewFile.reporter.report("outside-root", place, `'script/${model}' ${found.problem.message}`);
}
