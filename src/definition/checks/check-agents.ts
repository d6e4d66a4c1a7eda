import type { AgentFile } from "../agent-file.ts";
import type { CrewParts } from "../crew-parts.ts";
import { entryOf } from "../fields.ts";
import { type Path, placeOfValue } from "../locate.ts";
import { parseModel } from "../parse-model.ts";

/** Models' names, and what only a crew.yaml of version 2.0 must have. */
export function checkAgents(parts: CrewParts): void {
  const { crewFile, directory, placeOf } = parts;
  const { keys, reporter } = crewFile;
  if (keys.version === "2.0" && entryOf(crewFile.root, "name") === undefined && !crewFile.isImplied) {
    reporter.report("missing-field", placeOf([]), "'crew' needs 'name': version 2.0 asks for it");
  }
  if (keys.agents?.length === 0)
    reporter.report("missing-field", placeOf(["agents"]), "'agents' needs at least one agent");
  for (const [index, model] of keys.models.entries()) {
    if (parseModel(model) === undefined) reporter.report("bad-model", placeOf(["models", index]), badModel(model));
  }
  for (const agent of directory.files.values()) checkModels(agent, parts);
}

function checkModels(agent: AgentFile, { crewFile }: CrewParts): void {
  const { models, model, provider, provider_url: url } = agent.keys;
  const report = (path: Path, message: string) =>
    crewFile.reporter.report("bad-model", placeOfValue(agent, path), message);
  for (const [index, name] of (models ?? []).entries()) {
    if (parseModel(name) === undefined) report(["models", index], badModel(name));
  }
  const [given] = Object.entries({ model, provider, provider_url: url }).filter(([, value]) => value !== undefined);
  if (given !== undefined && (model === undefined || provider === undefined)) {
    report([given[0]], "'model' and 'provider' need each other; or write models: [provider/model]");
  }
}

function badModel(name: string): string {
  return `'${name}' is not a model's name: write provider/model, such as openai/gpt-5`;
}
