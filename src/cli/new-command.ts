import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, parse, relative, resolve } from "node:path";
import { insertAgent } from "../definition/insert-agent.ts";
import { locateDefinition } from "../definition/load-definition.ts";
import { writeYaml } from "../definition/write-yaml.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatDiagnostics } from "./format-diagnostics.ts";
import { explain } from "./run-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface NewOptions {
  readonly crew: string;
  readonly description?: string;
  readonly json?: boolean;
}

/** `baton new`: adds an agent or a scenario to a crew, and lists it where it must be listed. */
export async function addPart(
  part: "agent" | "scenario",
  name: string,
  options: NewOptions,
  terminal: Terminal,
): Promise<number> {
  try {
    const file = findCrewFile(options.crew, terminal);
    if (part === "agent") return addAgent(name, file, options, terminal);
    if (options.description !== undefined)
      throw new BatonError("bad-options", "--description is only used with 'baton new agent'");
    return await addScenario(name, file, options, terminal);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  }
}

function findCrewFile(path: string, { workingDirectory }: Terminal): string {
  const given = resolve(workingDirectory, path);
  const names = /\.ya?ml$/.test(given) ? [given] : ["crew.yaml", "crew.yml"].map((name) => join(given, name));
  const file = names.find((each) => existsSync(each));
  if (file !== undefined) return file;
  throw new BatonError(
    "unknown-crew",
    `there is no crew.yaml in ${path === "." ? "this folder" : path}: name the crew with --crew, or make one with 'baton init'`,
  );
}

function addAgent(id: string, crewFile: string, options: NewOptions, terminal: Terminal): number {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(id))
    throw new BatonError("bad-options", `'${id}' is no id of an agent: use letters, digits, - and _`);
  const { crew, files } = load(crewFile, terminal);
  if (crew?.agents.has(id)) throw new BatonError("file-exists", `the crew '${crew.name}' has an agent '${id}' already`);
  const file = join(findAgentsFolder(crew, files, crewFile), `${id}.md`);
  refuseExisting(file, terminal);
  const grown = insertAgent(readFileSync(crewFile, "utf8"), writeYaml(id).trim());
  if (grown === undefined)
    throw new BatonError("bad-options", `${shorten(crewFile, terminal)} has no list 'agents' to add '${id}' to`);
  const frontmatter = writeYaml({ description: options.description ?? "TODO: what this agent is for, in one line" });
  create(file, `---\n${frontmatter}---\nTODO: say who the agent is, what it gets, and what it answers.\n`);
  // The crew's file is whole at every moment, even if this process is killed.
  writeFileSync(`${crewFile}.new`, grown);
  renameSync(`${crewFile}.new`, crewFile);
  const { diagnostics } = load(crewFile, terminal);
  const [shown, listed] = [shorten(file, terminal), shorten(crewFile, terminal)];
  if (options.json) terminal.print(JSON.stringify({ file: shown, listed, diagnostics }, undefined, 2));
  else {
    terminal.print(`Wrote ${shown}, and listed '${id}' in ${listed}`);
    if (diagnostics.length > 0) terminal.print(`\n${formatDiagnostics(diagnostics, terminal.style)}`);
    terminal.print(`\nNext: write its prompt, and let another agent hand over to it ('routing' in ${listed})`);
  }
  return exitCodes.completed;
}

async function addScenario(name: string, crewFile: string, options: NewOptions, terminal: Terminal): Promise<number> {
  const base = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  if (base === "") throw new BatonError("bad-options", `'${name}' has no letter or digit to name a file by`);
  const file = join(dirname(crewFile), "scenarios", `${base}.scenario.yaml`);
  refuseExisting(file, terminal);
  const { draftScenario } = await import("../scenario/draft-scenario.ts");
  const text = await draftScenario(findCrewPath(crewFile), file, name);
  if (text === undefined) {
    const path = shorten(dirname(crewFile), terminal);
    throw new BatonError(
      "invalid-configuration",
      `the crew cannot be played: 'baton check ${path}' shows what is wrong`,
    );
  }
  create(file, nameSchema(crewFile) + text);
  const shown = shorten(file, terminal);
  if (options.json) terminal.print(JSON.stringify({ file: shown }, undefined, 2));
  else
    terminal.print(
      `Wrote ${shown}, which passes as it is\n\nNext: fill in its input, replies and expectations, then baton test ${shown}`,
    );
  return exitCodes.completed;
}

/** The line that names the schema for editors, if the crew's file has one. */
function nameSchema(crewFile: string): string {
  const [, schema] =
    /^# yaml-language-server: \$schema=(\S*)crew\.schema\.json/.exec(readFileSync(crewFile, "utf8")) ?? [];
  if (schema === undefined) return "";
  const folder = /^[a-z]+:/.test(schema) ? schema : `../${schema.replace(/^\.\//, "")}`;
  return `# yaml-language-server: $schema=${folder}scenario.schema.json\n`;
}

/** A scenario names the folder of a crew, unless its file has a name of its own. */
function findCrewPath(crewFile: string): string {
  return basename(crewFile) === "crew.yaml" ? dirname(crewFile) : crewFile;
}

function load(crewFile: string, { workingDirectory, variables: environment }: Terminal) {
  return locateDefinition(crewFile, { workingDirectory, environment });
}

/** Where the file of an agent of the crew is; else the folder that a crew's agents are looked for in. */
function findAgentsFolder(crew: Crew | undefined, files: readonly string[], crewFile: string): string {
  const known = files.find((file) => file !== crewFile && crew?.agents.has(parse(file).name));
  return known === undefined ? join(dirname(crewFile), "agents") : dirname(known);
}

function refuseExisting(file: string, terminal: Terminal): void {
  if (existsSync(file))
    throw new BatonError("file-exists", `${shorten(file, terminal)} exists already: choose another name`);
}

function create(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: "wx" });
}

function shorten(file: string, { workingDirectory }: Terminal): string {
  return relative(workingDirectory, file) || ".";
}
