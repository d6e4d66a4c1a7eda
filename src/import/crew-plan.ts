/** Where something stands in an original file. */
export interface OriginalPlace {
  /** The path of the file, absolute. */
  readonly file: string;
  readonly line: number;
}

/** A key of an original, and what it is in the crew. */
export interface MappedKey extends OriginalPlace {
  readonly was: string;
  readonly is: string;
}

/** Something of an original that does nothing in the crew, and why. */
export interface IdleKey extends OriginalPlace {
  readonly what: string;
  readonly why: string;
}

/** Something that only a person can decide, with a proposal. */
export interface Decision extends OriginalPlace {
  readonly what: string;
  readonly proposal: string;
}

/** What became of the originals, in the order in which it was found. */
export interface Notes {
  readonly mapped: MappedKey[];
  readonly idle: IdleKey[];
  readonly decisions: Decision[];
}

export function createNotes(): Notes {
  return { mapped: [], idle: [], decisions: [] };
}

/** A value as a file of YAML holds it. */
export type Plain = string | number | boolean | null | readonly Plain[] | PlainMap;
export interface PlainMap {
  readonly [key: string]: Plain | undefined;
}

/** An agent of the crew: the keys of its file, and its prompt. */
export interface PlannedAgent {
  readonly id: string;
  readonly keys: PlainMap;
  readonly prompt: string;
  /** Where it was found. */
  readonly from: OriginalPlace;
}

/** A tool that lives in code, or nowhere, and gets a stub. */
export interface PlannedStub {
  readonly name: string;
  readonly description?: string;
}

/** One crew.yaml with its agents. Sub-crews have a folder within that of the crew that calls them. */
export interface PlannedCrew {
  readonly folder: string;
  readonly keys: PlainMap;
  readonly agents: readonly PlannedAgent[];
  readonly stubs: readonly PlannedStub[];
}

/** A whole import: crews, the first of which calls the others, and what became of the originals. */
export interface ImportPlan {
  readonly kind: ImportKind;
  readonly name: string;
  readonly crews: readonly PlannedCrew[];
  readonly notes: Notes;
  /** The files that were read, absolute. */
  readonly sources: readonly string[];
}

export const importKinds = [
  "go-agentic",
  "ai-agent",
  "maia",
  "claude",
  "copilot",
  "opencode",
  "docker-agent",
  "crewai",
  "autogen",
] as const;

/** A system whose files can be imported. */
export type ImportKind = (typeof importKinds)[number];
