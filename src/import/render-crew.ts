import { writeYaml } from "../definition/write-yaml.ts";
import { toMap } from "./clean-keys.ts";
import type { ImportPlan, Plain, PlainMap, PlannedAgent, PlannedCrew } from "./crew-plan.ts";
import { nameFile } from "./name-files.ts";
import { describeByPrompt } from "./plan-agent.ts";

/** A file of the crew: its path within the crew's folder, and its text. */
export interface CrewText {
  readonly path: string;
  readonly text: string;
}

/** The files of all crews of a plan. */
export function renderCrews({ crews }: ImportPlan): CrewText[] {
  return crews.flatMap(renderCrew);
}

function renderCrew(crew: PlannedCrew): CrewText[] {
  const inside = (file: string) => (crew.folder === "" ? file : `${crew.folder}/${file}`);
  const names = nameAgents(crew.agents);
  const called = new Set(crew.agents.flatMap(({ keys }) => listCalled(keys)));
  const agents = crew.agents.map((agent) => {
    const isBare = called.has(agent.id) && agent.keys["description"] === undefined;
    const keys = isBare ? { description: describeByPrompt(agent), ...agent.keys } : agent.keys;
    const name = names.get(agent.id) ?? "";
    return {
      path: inside(`agents/${name}.md`),
      text: renderAgent(name === agent.id ? keys : { id: agent.id, ...keys }, agent.prompt),
    };
  });
  const exports = nameExports(crew.stubs.map(({ name }) => name));
  const stubs = Object.fromEntries([...exports].map(([name, exported]) => [name, `./tools.ts#${exported}`]));
  const tools = { ...toMap(crew.keys["tools"]), ...stubs };
  const keys = Object.keys(tools).length === 0 ? crew.keys : { ...crew.keys, tools };
  const code = crew.stubs.length === 0 ? [] : [{ path: inside("tools.ts"), text: renderStubs(crew, exports) }];
  return [{ path: inside("crew.yaml"), text: writeYaml(keys) }, ...agents, ...code];
}

/** The names of the agents' files, without their endings. */
export function nameAgents(agents: readonly PlannedAgent[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(agents.map(({ id }) => [id, nameFile(id, taken)]));
}

/** Agents whose descriptions another agent's model reads. */
function listCalled(keys: PlainMap): string[] {
  const named = [
    keys["agents"],
    toMap(keys["router"])["destinations"],
    keys["collaborations"],
    toMap(keys["team"])["members"],
  ];
  return named
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((each: Plain) => {
      const id = typeof each === "string" ? each : toMap(each)["agent"];
      return typeof id === "string" ? id : [];
    });
}

function renderAgent(keys: PlainMap, prompt: string): string {
  const frontmatter = Object.keys(keys).length === 0 ? "" : writeYaml(keys);
  const isPlain = frontmatter === "" && !/^(?:---|#!)/.test(prompt);
  return `${isPlain ? "" : `---\n${frontmatter}---\n\n`}${prompt}\n`;
}

/** The name that each tool is exported by: JavaScript's names have letters, digits, _ and $ only. */
function nameExports(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>(["default"]);
  return new Map(
    names.map((name) => {
      const plain = name.replace(/[^\p{ID_Continue}]+/gu, "_").replace(/^(?=\p{N})|^$/u, "tool_");
      const safe = keywords.has(plain) ? `${plain}_tool` : plain;
      let free = safe;
      for (let count = 2; taken.has(free); count++) free = `${safe}_${count}`;
      taken.add(free);
      return [name, free] as const;
    }),
  );
}

const keywords: ReadonlySet<string> = new Set(
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval".split(
    " ",
  ),
);

function renderStubs({ stubs }: PlannedCrew, exports: ReadonlyMap<string, string>): string {
  const about =
    "// Stubs of the tools that the crew names. Write what each one does; until then it says that it is a stub.\n";
  const parts = stubs.map(({ name, description }) => {
    const said = `This is a stub: the tool '${name}' is not written yet, so nothing was done and nothing is known.`;
    return `
export const ${exports.get(name)} = {
  name: ${JSON.stringify(name)},
  description: ${JSON.stringify(description ?? `A stub for '${name}'. Say here what the tool does.`)},
  parameters: { type: "object" },
  execute: () => ${JSON.stringify(said)},
};
`;
  });
  return about + parts.join("");
}
