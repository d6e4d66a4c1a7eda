import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a new crew can be for. Each has a folder in `templates/`. */
export const crewKinds = {
  triage: { about: "a front desk sends each request to the right agent", input: "I paid twice for order A-7." },
  pipeline: { about: "agents work one after the other, and send work back", input: "Tell everyone we move." },
  "review-board": { about: "advisors give opinions, one agent decides", input: "We want a new travel agency." },
  team: { about: "a lead and members discuss until they have a plan", input: "Show customers their invoices." },
  crews: { about: "a coordinator calls whole crews", input: "Write about the bridge." },
} as const;

export type CrewKind = keyof typeof crewKinds;

/** How to write a crew out of a template. */
export interface TemplateChoice {
  readonly kind: CrewKind;
  readonly name: string;
  readonly model: string;
  /** Whether agents get a tool in TypeScript. */
  readonly hasTools: boolean;
}

/** A file of a new crew, with its path inside the crew's folder. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

// As many folders below the package's root in the sources as in the published package.
const templates = fileURLToPath(new URL("../../templates", import.meta.url));

/** The files of the crew itself. */
export function readTemplate(choice: TemplateChoice): NewFile[] {
  const folder = join(templates, choice.kind);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (choice.hasTools || entry.name !== "tools.ts"))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(folder.length + 1).replaceAll("\\", "/");
      return { path, text: fill(readFileSync(file, "utf8"), choice) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file that every kind of crew shares. */
export function readShared(file: string, choice: TemplateChoice, words: Readonly<Record<string, string>> = {}): string {
  return fill(readFileSync(join(templates, file), "utf8"), choice, words);
}

/** Lines that begin with `#tools` are there only with tools. */
const TOOLS_LINE = /^#tools (.*\n)/gm;

function fill(text: string, choice: TemplateChoice, words: Readonly<Record<string, string>> = {}): string {
  const all: Readonly<Record<string, string>> = { NAME: choice.name, MODEL: choice.model, ...words };
  return text
    .replace(TOOLS_LINE, choice.hasTools ? "$1" : "")
    .replace(/__([A-Z]+)__/g, (whole, word: string) => all[word] ?? whole);
}
