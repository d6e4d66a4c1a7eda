import { createHash } from "node:crypto";
import {
  type AgentDefinition,
  type Attachment,
  type BatonEvent,
  type CrewInput,
  defineCrew,
  type defineTool,
  type Model,
  type Store,
} from "../src/index.ts";
import { makePng } from "./sample-files.ts";

export const png = makePng();
export const photo = { bytes: png, name: "photo.png" };
export const log = { bytes: Buffer.from("disk full"), name: "log.txt" };
export const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
export const refer = ({ name }: { name: string }, type: string, bytes: Uint8Array) =>
  `[attachment: ${name}, ${type}, ${bytes.byteLength} bytes, ${hashOf(bytes).slice(0, 16)}]`;

/** What an agent was asked: its newest words, and the files that came along. */
interface Asked {
  readonly agent: string;
  readonly model: string;
  readonly last: string;
  readonly files: readonly string[];
}

export interface Playing {
  readonly agents?: readonly AgentDefinition[];
  readonly models?: readonly string[];
  readonly says?: Readonly<Record<string, readonly string[]>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly routing?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly ReturnType<typeof defineTool>[];
  readonly store?: Store;
  readonly root?: string;
}

export const desk: AgentDefinition = { id: "desk", prompt: "Look." };

/** A crew whose models note what they are asked and say what is written. */
export function openPhotoCrew({
  agents = [desk],
  models = ["acme/eyes"],
  says = {},
  tools = [],
  store,
  root,
  ...keys
}: Playing = {}) {
  const asked: Asked[] = [];
  const create = (name: string): Model => ({
    name,
    call(request) {
      const { agent, calls } = request;
      const files = [...(request.files?.values() ?? [])];
      const shown = files.map(({ name: file, content }) => (typeof content === "string" ? content : file));
      asked.push({ agent, model: name, last: request.messages().at(-1)?.text ?? "", files: shown });
      const text = says[agent]?.[calls - 1] ?? says[agent]?.at(-1) ?? "Done.";
      const call = /^call (\w+)$/.exec(text)?.[1];
      return call === undefined
        ? { text, toolCalls: [], finish: "stop" }
        : { text: "", toolCalls: [{ name: call, args: {} }], finish: "tool-calls" };
    },
  });
  const definition = { name: "office", agents, tools, ...keys };
  const objects = models.map(create);
  const crew = defineCrew({ ...definition, models: objects } as never, {
    ...(store !== undefined && { store }),
    ...(root !== undefined && { root }),
  });
  return { crew, asked };
}

export async function playFiles(input: CrewInput, playing: Playing = {}) {
  const { crew, asked } = openPhotoCrew(playing);
  const events: BatonEvent[] = [];
  const result = await crew.run(input, { onEvent: (event) => void events.push(event) });
  return { crew, asked, events, result };
}

/** The files that events bring. */
export function attachmentsOf(events: readonly BatonEvent[]): readonly Attachment[] {
  return events.flatMap((event): readonly Attachment[] => {
    const isBringing = event.type === "run.started" || event.type === "run.resumed" || event.type === "tool.completed";
    return isBringing ? (event.data.attachments ?? []) : [];
  });
}
