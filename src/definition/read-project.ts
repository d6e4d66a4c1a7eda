import { join } from "node:path";
import { readMap } from "./agent-file.ts";
import type { LoadEnvironment } from "./load-environment.ts";
import { placeOfValue } from "./locate.ts";
import type { Reporter } from "./problem-log.ts";
import { projectShape } from "./project-shape.ts";
import { readText } from "./read-text.ts";
import { isSecretName } from "./secret-names.ts";
import type { ValueOf } from "./shape.ts";
import { createSource } from "./source.ts";

/** What a project's baton.yaml says to all crews in it. */
export type Project = ValueOf<typeof projectShape>;

/** Reads the baton.yaml of a project's root. It may be empty, or not there at all. */
export function readProject(root: string, reporter: Reporter): Project {
  const file = join(root, "baton.yaml");
  const result = readText(file, root);
  if ("problem" in result) {
    const { code, message } = result.problem;
    if (code !== "not-found") reporter.report(code, { file }, `baton.yaml ${message}`);
    return projectShape.absent;
  }
  const source = createSource(file, result.text);
  const map = readMap(source, { start: 0, end: source.text.length }, reporter);
  const project = map && projectShape.read(map, "baton.yaml", { source, reporter });
  if (map === undefined || project === undefined) return projectShape.absent;
  for (const [index, name] of project.prompt_variables.entries()) {
    const message = `'${name}' says that it holds a secret, which belongs in no prompt`;
    if (isSecretName(name))
      reporter.report("bad-secret-name", placeOfValue({ source, root: map }, ["prompt_variables", index]), message);
  }
  return project;
}

/** The environment variables that prompts may have. */
export function allowVariables(
  { prompt_variables: names }: Project,
  environment: LoadEnvironment = {},
): Readonly<Record<string, string>> {
  const allowed = names.filter((name) => !isSecretName(name));
  return Object.fromEntries(
    allowed.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}
