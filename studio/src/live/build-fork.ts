import type { BatonEvent } from "../../../src/vocabulary/events.ts";

export type ForkKind = "reply" | "input" | "prompt" | "model" | "nothing";

export interface ForkChoice {
  readonly kind: ForkKind;
  readonly title: string;
  readonly label: string;
  /** What stands there now. */
  readonly text: string;
}

/** What can be changed in a fork that begins at an event. */
export function listForkKinds(event: BatonEvent): ForkChoice[] {
  const choices: ForkChoice[] = [];
  if (event.type === "model.completed")
    choices.push({ kind: "reply", title: "The model's reply", label: "Reply", text: event.data.text });
  if (event.type === "run.started" || event.type === "run.resumed")
    choices.push({ kind: "input", title: "What the user said", label: "Input", text: event.data.input ?? "" });
  return [
    ...choices,
    { kind: "prompt", title: "An agent's prompt", label: "New prompt", text: "" },
    { kind: "model", title: "The model", label: "Model, as provider/model", text: "" },
    { kind: "nothing", title: "Nothing: run it again from here", label: "", text: "" },
  ];
}

/** The request for a fork. */
export function buildFork(
  kind: ForkKind,
  at: number,
  { text, agent }: { readonly text: string; readonly agent: string },
): unknown {
  switch (kind) {
    case "reply":
      return { at, reply: text };
    case "input":
      return { at, input: text };
    case "prompt":
      return { at, prompts: { [agent]: text } };
    case "model":
      return { at, models: [text.trim()] };
    case "nothing":
      return { at };
  }
}
