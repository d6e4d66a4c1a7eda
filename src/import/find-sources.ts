import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { isAgentFileName } from "../definition/agent-file.ts";
import { findCrewFile } from "../definition/find-crew.ts";
import { type Reporter, silentReporter } from "../definition/problem-log.ts";
import { readText } from "../definition/read-text.ts";
import type { ImportKind } from "./crew-plan.ts";
import { type ForeignSource, readForeign, textAt } from "./foreign-source.ts";
import { listFiles } from "./list-files.ts";
import { type Recognized, recognizeFile } from "./recognize-file.ts";

/** What there is to import. */
export type ImportSource = { readonly name: string } & (
  | { readonly type: "loaded"; readonly path: string; readonly files?: readonly string[]; readonly kind?: ImportKind }
  | { readonly type: "crewai"; readonly agents?: ForeignSource | undefined; readonly tasks?: ForeignSource | undefined }
  | { readonly type: "docker-agent" | "autogen"; readonly file: ForeignSource }
  | { readonly type: "langgraph"; readonly file: string }
);

/** Finds out what a path holds: a file, a crew's folder, or a folder with several of them. */
export function findSources(path: string, reporter: Reporter): readonly ImportSource[] {
  if (!existsSync(path)) {
    reporter.report("not-found", { file: path }, `${path} does not exist`);
    return [];
  }
  if (!statSync(path).isDirectory()) return findInFile(path, reporter);
  const crewFile = findCrewFile(path);
  if (crewFile !== undefined) return findInFile(crewFile, reporter);
  return findInFolder(path, reporter);
}

function findInFile(file: string, reporter: Reporter): readonly ImportSource[] {
  if (!/\.(?:ya?ml|json)$/.test(file)) return [{ type: "loaded", path: file, name: nameSource(file) }];
  const folder = dirname(file);
  const found = readForeign(file, folder, reporter);
  if (found === undefined) return [];
  const kind = recognizeFile(found.tree);
  const name = nameSource(file);
  if (kind === "crewai-agents" || kind === "crewai-tasks") {
    const beside = findBeside(folder, kind === "crewai-agents" ? "crewai-tasks" : "crewai-agents", file);
    const [agents, tasks] = kind === "crewai-agents" ? [found, beside] : [beside, found];
    return [{ type: "crewai", agents, tasks, name: nameSource(folder) }];
  }
  if (kind === "docker-agent" || kind === "autogen") return [{ type: kind, file: found, name }];
  if (kind === "langgraph") return [{ type: kind, file, name }];
  return [{ type: "loaded", path: file, name }];
}

/** The other file of a crew of CrewAI. */
function findBeside(folder: string, kind: Recognized, file: string): ForeignSource | undefined {
  const other = kind === "crewai-tasks" ? "tasks" : "agents";
  const likely = basename(file).replace(/agents|tasks/i, other);
  const names = [likely, `${other}.yaml`, `${other}.yml`, `${other}.json`];
  const read = names
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => readForeign(join(folder, name), folder, silentReporter));
  return read.find((each) => each !== undefined && each.file !== file && recognizeFile(each.tree) === kind);
}

function findInFolder(folder: string, reporter: Reporter): readonly ImportSource[] {
  const files = listFiles(folder, reporter);
  const yaml = files
    .filter((file) => /\.(?:ya?ml|json)$/.test(file))
    .flatMap((file) => {
      const read = readForeign(file, folder, silentReporter);
      const kind = read && recognizeFile(read.tree);
      return read === undefined || kind === undefined ? [] : { file, read, kind };
    });
  const of = (kind: Recognized) => yaml.filter((each) => each.kind === kind);
  // A crew of Baton, such as an earlier import, is no other system's.
  const theirs = of("crew").filter(({ read }) => !(textAt(read.tree, "version") ?? "").startsWith("2"));
  const crews = theirs.map(({ file }): ImportSource => ({ type: "loaded", path: file, name: nameSource(file) }));
  const homes = of("crew").map(({ file }) => findFolder(file));
  const pairs = [...Map.groupBy([...of("crewai-agents"), ...of("crewai-tasks")], ({ file }) => dirname(file))];
  const crewAi = pairs.map(([home, found]): ImportSource => {
    const agents = found.find(({ kind }) => kind === "crewai-agents")?.read;
    return {
      type: "crewai",
      agents,
      tasks: found.find(({ kind }) => kind === "crewai-tasks")?.read,
      name: nameSource(home),
    };
  });
  const others = [...of("docker-agent"), ...of("autogen")].map(({ file, read, kind }): ImportSource => {
    return { type: kind === "autogen" ? kind : "docker-agent", file: read, name: nameSource(file) };
  });
  const graphs = of("langgraph").map(({ file }): ImportSource => ({ type: "langgraph", file, name: nameSource(file) }));
  const yamlAgents = of("agent").map(({ file }) => file);
  const isFree = (file: string) => !homes.some((home) => file.startsWith(`${home}/`));
  const found = [...crews, ...crewAi, ...others, ...graphs];
  const named = files.filter((file) => /\.(?:md|ai)$/.test(file) && isAgentFileName(file));
  // Beside files of ai-agent, Markdown is what they include.
  const included = new Set(named.filter((file) => extname(file) === ".ai").map((file) => dirname(file)));
  const texts = named.filter((file) => extname(file) === ".ai" || !included.has(dirname(file)));
  const agents = [...texts.filter((file) => isMeant(file, folder, found.length === 0)), ...yamlAgents].filter(isFree);
  return [...found, ...groupAgents(agents, folder)];
}

/** Texts that stand in the folder itself are meant as agents where nothing else is; those below it have to look like agents. */
function isMeant(file: string, folder: string, isAlone: boolean): boolean {
  if (extname(file) === ".ai" || /\.(?:agent|chatmode)\.md$/.test(file) || PRODUCT.test(file)) return true;
  return (isAlone && dirname(file) === folder) || looksLikeAgent(file, folder);
}

const PRODUCT = /\/(?:\.claude\/agents|\.github\/(?:agents|chatmodes)|\.opencode\/agents?)\//;

/** Agents' files, together where they call each other: those of a product's folder, of ai-agent in one folder, or all others. */
function groupAgents(files: readonly string[], folder: string): ImportSource[] {
  const findProduct = (file: string) => {
    const match = PRODUCT.exec(file);
    if (match !== null) return file.slice(0, match.index + match[0].length - 1);
    return extname(file) === ".ai" ? dirname(file) : folder;
  };
  const isAi = (file: string) => extname(file) === ".ai";
  const groups = Map.groupBy(files, (file) => `${isAi(file)} ${findProduct(file)}`);
  return [...groups.values()].map((group): ImportSource => {
    const [first = folder] = group;
    const home = findProduct(first);
    return { type: "loaded", path: home, files: group, name: nameSource(home) };
  });
}

/** Names that say nothing of what is in them. */
const generic: ReadonlySet<string> = new Set(["agents", "agent", "config", "chatmodes", "src", "crew"]);

/** A name for the crew, out of the path of what it is imported from. */
function nameSource(path: string): string {
  const base = basename(path)
    .replace(/\.(?:agent|chatmode)\.md$|\.(?:md|ai|ya?ml|json)$/i, "")
    .replace(/^\.+/, "");
  const parent = dirname(path);
  return (generic.has(base.toLowerCase()) || /^(?:agents|tasks)$/i.test(base)) &&
    parent !== path &&
    basename(parent) !== ""
    ? nameSource(parent)
    : base || "agents";
}

/** The folder beside which the crew is written. */
export function findFolder(path: string): string {
  const isGeneric = generic.has(basename(path).toLowerCase()) || /^\.(?:claude|github|opencode)$/.test(basename(path));
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile && /^(?:crew|agents|tasks)\.(?:ya?ml|json)$/.test(basename(path))) return findFolder(dirname(path));
  return isGeneric && dirname(path) !== path ? findFolder(dirname(path)) : path;
}

/** Whether a Markdown file says that it is an agent: by a description among keys that agents have, or by collaborations. */
function looksLikeAgent(file: string, root: string): boolean {
  const result = readText(file, root);
  if ("problem" in result) return false;
  const text = result.text.replace(/^\s+/, "");
  if (/^\*\*(?:Primary )?Collaborations\*\*|^HANDOFF DECLARATION/m.test(text)) return true;
  if (!text.startsWith("---")) return false;
  const head = text.slice(0, Math.max(0, text.indexOf("\n---", 3)));
  // Pages of documentation have descriptions, too.
  return /^description[ \t]*:/m.test(head) && /^(?:name|tools|model|models|mode|agents)[ \t]*:/m.test(head);
}
