import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { version } from "../vocabulary/version.ts";
import { crewKinds, type NewFile, readShared, readTemplate, type TemplateChoice } from "./crew-templates.ts";

/** What a new project is made of. */
export interface ProjectChoice extends TemplateChoice {
  readonly folder: string;
  /** The variable for the key of the provider. */
  readonly key: string | undefined;
}

const kept: ReadonlySet<string> = new Set(["package.json", ".gitignore"]);

/** The files of a new project. Each path is absolute. */
export function planProject(choice: ProjectChoice): NewFile[] {
  const { about, input } = crewKinds[choice.kind];
  const words = { ABOUT: `${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`, INPUT: input };
  const own: NewFile[] = [
    ...readTemplate(choice),
    { path: "README.md", text: readShared("README.md", choice, words) },
    { path: ".env.example", text: renderEnvironment(choice) },
    { path: "package.json", text: renderManifest(choice) },
    { path: ".gitignore", text: "node_modules/\n.env\n" },
  ];
  // A project that has these keeps them.
  const files = own
    .filter(({ path }) => !kept.has(path) || !existsSync(join(choice.folder, path)))
    .map(({ path, text }) => ({ path: join(choice.folder, path), text }));
  const workflow = planWorkflow(choice);
  return workflow === undefined ? files : [...files, workflow];
}

function renderEnvironment({ key, model }: ProjectChoice): string {
  if (key === undefined) return `# ${model} needs no key.\n`;
  return `# Copy this file to .env, and put your key in. Never commit .env.\n${key}=\n`;
}

function renderManifest({ name, kind }: ProjectChoice): string {
  const start = `baton run . ${JSON.stringify(crewKinds[kind].input)} --script demo.script.yaml`;
  const manifest = {
    name,
    private: true,
    type: "module",
    scripts: { start, check: "baton check . --strict", test: "baton test ." },
    devDependencies: { "baton-agents": `^${version}` },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** A workflow for GitHub, if the project has a folder for such; a project that has this workflow keeps it. */
function planWorkflow(choice: ProjectChoice): NewFile | undefined {
  const root = findRepository(choice.folder);
  if (root === undefined || !existsSync(join(root, ".github"))) return undefined;
  const path = join(root, ".github/workflows/baton.yml");
  if (existsSync(path)) return undefined;
  const folder = relative(root, choice.folder).replaceAll("\\", "/") || ".";
  return { path, text: readShared("baton.workflow.yml", choice, { FOLDER: folder }) };
}

/** The folder itself if it has `.github`, else the repository that it is in. */
function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".github"))) return folder;
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}
