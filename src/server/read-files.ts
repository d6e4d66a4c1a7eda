import { type BroughtFile, readSource } from "../attachments/read-source.ts";
import { type AttachmentLimits, usualAttachmentLimits } from "../vocabulary/attachment.ts";
import type { AttachmentInput } from "../vocabulary/attachment-input.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { Refusal } from "./problem.ts";
import { type FormPart, readForm } from "./read-form.ts";

/** The files of a form, read one by one, each of at most so many bytes. */
export type FormFiles = (maxBytes: number) => AsyncIterable<AttachmentInput>;

/** A form: its fields, and the files that come after them. */
export interface ReadForm {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: FormFiles;
}

const MAX_FIELD = 8 * 1024 * 1024;

/** Keys of a body that are JSON where they are fields of a form; all others are text. */
const asJson: ReadonlySet<string> = new Set([
  "history",
  "variables",
  "priority",
  "attachments",
  "args",
  "acceptChanges",
]);

/** Reads the fields of a form, and leaves the files to whoever knows how large they may be. Fields come first. */
export async function openForm(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  parse: (text: string) => unknown,
): Promise<ReadForm> {
  const parts = readForm(body, boundary);
  const fields: Record<string, unknown> = {};
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value;
    if (part.filename !== undefined) return { fields, files: (maxBytes) => readFiles(part, parts, maxBytes) };
    const text = (await part.read(MAX_FIELD)).toString("utf8");
    if (Object.hasOwn(fields, part.name)) throw new Refusal("bad-request", `the form has two fields '${part.name}'`);
    Object.defineProperty(fields, part.name, { value: asJson.has(part.name) ? parse(text) : text, enumerable: true });
  }
  return { fields, files: () => readFiles(undefined, parts, 0) };
}

async function* readFiles(
  first: FormPart | undefined,
  parts: AsyncGenerator<FormPart>,
  maxBytes: number,
): AsyncGenerator<AttachmentInput> {
  for (let part = first; part !== undefined; ) {
    const { filename: name, type: mediaType } = part;
    if (name === undefined)
      throw new Refusal("bad-request", `the field '${part.name}' comes after a file: fields come first`);
    const bytes = await part.read(maxBytes);
    // A browser sends an empty part where nobody chose a file.
    if (name !== "" || bytes.byteLength > 0) yield { bytes, name, ...(mediaType !== undefined && { mediaType }) };
    const next = await parts.next();
    part = next.done ? undefined : next.value;
  }
}

/** A file as a request names it. A path would be one of this machine, so there is none. */
export interface SentFile {
  readonly bytes?: string | undefined;
  readonly url?: string | undefined;
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
}

/** All files of a request, in order; addresses are fetched from the crew's hosts only. Undefined where it has none. */
export function collectFiles(
  sent: readonly SentFile[] | undefined,
  files: FormFiles | undefined,
  crew: Crew,
  signal: AbortSignal,
): AsyncIterable<AttachmentInput> | undefined {
  if (sent === undefined && files === undefined) return undefined;
  const { attachments: limits = usualAttachmentLimits } = crew.settings;
  return (async function* collect() {
    for (const each of sent ?? []) yield each.url === undefined ? each : fetchFile(each, crew, limits, signal);
    if (files !== undefined) yield* files(limits.maxBytes);
  })();
}

async function fetchFile(
  sent: SentFile,
  crew: Crew,
  { maxBytes, hosts }: AttachmentLimits,
  signal: AbortSignal,
): Promise<AttachmentInput> {
  const sets = [...(crew.toolSets?.values() ?? [])].flatMap((set) => (set.type === "web" ? [set] : []));
  const rules = {
    folder: "",
    isConfined: true,
    hosts: [...hosts, ...sets.flatMap((set) => set.hosts)],
    isPrivate: sets.some((set) => set.isPrivate),
    maxBytes,
  };
  const { name, content, declared }: BroughtFile = await readSource(sent, rules, signal);
  return { bytes: content, name, ...(declared !== undefined && { mediaType: declared }) };
}
