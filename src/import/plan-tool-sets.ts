import type { PlainMap } from "./crew-plan.ts";

/** Sets of Baton's own tools that a crew needs, collected while its agents are planned. */
export interface PlannedSets {
  /** Declares what tools of a kind need, and gives their names; undefined where a person has to say what is allowed. */
  use(kind: string, tools: readonly string[]): readonly string[] | undefined;
  /** The sets by name, as crew.yaml declares them. */
  list(): PlainMap;
  /** What a person should know of them; undefined where nothing outside the run is touched. */
  describe(): { readonly what: string; readonly proposal: string } | undefined;
}

/** `taken` are names of servers and tools. Files are read in the project, and each write is approved; programs and pages are nobody's to guess. */
export function createSets(taken: (name: string) => boolean): PlannedSets {
  const used = new Map<string, Set<string>>();
  const nameSet = (kind: string) => (taken(kind) ? `own-${kind}` : kind);
  const writes = () => [...(used.get("files") ?? [])].some((tool) => tool === "write" || tool === "edit");
  return {
    use(kind, tools) {
      if (kind !== "files" && kind !== "todo") return undefined;
      used.set(kind, new Set([...(used.get(kind) ?? []), ...tools]));
      return tools.map((tool) => `${nameSet(kind)}__${tool}`);
    },
    list() {
      const files = writes() ? { builtin: "files", write: true, approval: true } : { builtin: "files" };
      const sets: [string, PlainMap][] = [...used.keys()].map((kind) => [
        nameSet(kind),
        kind === "files" ? files : { builtin: kind },
      ]);
      return Object.fromEntries(sets);
    },
    describe() {
      if (!used.has("files")) return undefined;
      const name = nameSet("files");
      const what = writes()
        ? `agents read files of the whole project, and write them when a person approves (\`tools.${name}\` in crew.yaml)`
        : `agents read files of the whole project (\`tools.${name}\` in crew.yaml)`;
      return { what, proposal: `narrow it by \`root: ./docs\`, or keep it` };
    },
  };
}

/** How a person lets agents run programs or fetch pages. */
export const setProposals: Readonly<Record<string, string>> = {
  shell:
    "name the programs that may run under `tools` in crew.yaml, `shell: { builtin: shell, programs: [git] }`, and give the agents `tools: [shell__run]`; a person approves each call",
  web: "name the hosts that may be fetched from under `tools` in crew.yaml, `web: { builtin: web, allow: [docs.example.org] }`, and give the agents `tools: [web__fetch]`",
};
