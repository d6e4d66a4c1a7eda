/** One thing that was looked at. `wrong` keeps the crew from working; a `note` is worth knowing. */
export interface Observation {
  readonly about: string;
  readonly state: "fine" | "note" | "wrong";
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export function fine(about: string, text: string): Observation {
  return { about, state: "fine", text };
}

export function note(about: string, text: string, remedy?: string): Observation {
  return { about, state: "note", text, ...(remedy !== undefined && { remedy }) };
}

export function wrong(about: string, text: string, remedy: string): Observation {
  return { about, state: "wrong", text, remedy };
}
