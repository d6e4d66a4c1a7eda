import { isTextType } from "./attachment.ts";

const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const pdf = "application/pdf";
const spoken = ["audio/wav", "audio/mpeg"];

type Inputs = readonly (readonly [beginning: string, types: readonly string[]])[];

const openai: Inputs = [
  ["gpt-4o-audio", spoken],
  ["gpt-audio", spoken],
  ["gpt-3.5", []],
  ["gpt-4-turbo", images],
  ["gpt-4.", [...images, pdf]],
  ["gpt-4o", [...images, pdf]],
  ["gpt-4", []],
  ["gpt-5", [...images, pdf]],
  ["o1-mini", []],
  ["o1-preview", []],
  ["o3-mini", []],
  ["o1", [...images, pdf]],
  ["o3", [...images, pdf]],
  ["o4", [...images, pdf]],
  ["", [...images, pdf]],
];

const anthropic: Inputs = [
  ["claude-2", []],
  ["claude-instant", []],
  ["claude-3-haiku", images],
  ["claude-3-opus", images],
  ["", [...images, pdf]],
];

const google: Inputs = [
  ["gemma", images],
  [
    "",
    [
      ...["image/png", "image/jpeg", "image/webp", "image/heic", pdf],
      ...[...spoken, "audio/ogg", "audio/flac", "audio/aac", "audio/aiff", "audio/mp4"],
    ],
  ],
];

/** What models take besides text, by the beginnings of their names; the first that fits counts. A new model takes what its provider's newest ones do. */
const inputs: Readonly<Record<string, Inputs>> = {
  openai,
  anthropic,
  google,
  deepseek: [["", []]],
  mistral: [
    ["codestral", []],
    ["devstral", []],
    ["ministral-3b-24", []],
    ["ministral-8b-24", []],
    ["open-mi", []],
    ["mistral-large-24", []],
    ["mistral-tiny", []],
  ],
  groq: [
    ["meta-llama/llama-4", images],
    ["", []],
  ],
  xai: [
    ["grok-2-vision", images],
    ["grok-2", []],
    ["grok-3", []],
    ["grok-code", []],
  ],
  ollama: [
    ["llama3.2-vision", images],
    ["llama", []],
    ["mistral-small", images],
    ["mistral", []],
    ["mixtral", []],
    ["deepseek", []],
    ["qwen2.5vl", images],
    ["qwen3-vl", images],
    ["qwen", []],
    ["phi", []],
    ["gpt-oss", []],
    ["codellama", []],
    ["tinyllama", []],
  ],
};

/** What a model of a known provider takes that the table does not have. */
const fallback: readonly string[] = images;

/**
 * Whether a model, named `provider/model`, takes files of a type. Every model takes text. A model that the table does not have is
 * taken to see images. Of a provider that nobody knows, such as a server or a model of one's own, nothing is known: it is asked.
 */
export function takesType(name: string, mediaType: string): boolean {
  if (isTextType(mediaType)) return true;
  const [provider = "", ...rest] = name.split("/");
  const base = provider.replace(/\..*/, "");
  const model = rest.join("/");
  // Its models are those of others, with their provider in front.
  if (base === "openrouter" && rest.length > 1) return takesType(model, mediaType);
  const known = Object.hasOwn(inputs, base) ? inputs[base] : undefined;
  if (known === undefined) return base === "openrouter" ? fallback.includes(mediaType) : true;
  return (known.find(([beginning]) => model.startsWith(beginning))?.[1] ?? fallback).includes(mediaType);
}

/** Whether any model is known to take files of a type. */
export function isTakenByAny(mediaType: string): boolean {
  return isTextType(mediaType) || [...images, pdf, ...google.flatMap(([, types]) => types)].includes(mediaType);
}

/** Models that take files of a type, for a message that says what to add. */
export function suggestTakers(mediaType: string): readonly string[] {
  const usual = ["openai/gpt-5", "anthropic/claude-sonnet-4-5", "google/gemini-2.5-flash"];
  return usual.filter((name) => takesType(name, mediaType));
}

/** Whether a model takes any files but text. */
export function takesFiles(name: string): boolean {
  return [...images, pdf, ...spoken].some((type) => takesType(name, type));
}
