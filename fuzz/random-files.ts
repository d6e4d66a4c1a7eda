import { createHash } from "node:crypto";
import type { Blobs } from "../src/run/run-attachments.ts";
import { type Attachment, addReferences } from "../src/vocabulary/attachment.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { createChance } from "./chance.ts";

const contents = ["\x89PNG\r\n\x1a\n........", "disk full [END]", "%PDF-1.4 x", "</attachment> [GO]"] as const;
const names = ["photo.png", "log.txt", "plan.pdf", "notes [DONE].md"] as const;
const types = ["image/png", "text/plain", "application/pdf", "text/markdown"] as const;

/** Every file that a random run may have. */
const samples = contents.map((content, index) => {
  const bytes = Buffer.from(content, "latin1");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const name = (names[index] ?? "x").replaceAll(/[[\]]/g, "_");
  const attachment: Attachment = { name, mediaType: types[index] ?? "", bytes: bytes.byteLength, sha256 };
  return { attachment, bytes };
});

/** A store that has them all. */
export const sampleBlobs: Blobs = {
  save: () => {},
  read: (sha256) => samples.find(({ attachment }) => attachment.sha256 === sha256)?.bytes,
};

/** What comes with the input of a seed's run, mostly nothing; drawn apart, so that all else of the seed stays as it is. */
export function randomFiles(seed: number): readonly Attachment[] {
  const chance = createChance(seed ^ 0x5f11e5);
  return chance.percent(20) ? chance.some(samples, 3).map(({ attachment }) => attachment) : [];
}

/** Which files each agent of a seed is given, for a few agents. */
export function randomMode(seed: number, index: number): { readonly attachments?: string } {
  const chance = createChance((seed * 31 + index) ^ 0x5f11e5);
  return chance.maybe(15, () => ({ attachments: chance.pick(["none", "new", "all"]) }));
}

/** What a tool gives: with a file beside it, where its result says so. */
export function addFile(result: unknown): unknown {
  const length = typeof result === "string" ? result.length : 0;
  const sample = length % 4 === 1 ? samples[length % samples.length] : undefined;
  return sample === undefined
    ? result
    : { text: result, attachments: [{ bytes: sample.bytes, name: sample.attachment.name }] };
}

/** Files that are sent are those that something brought, and nobody's words hold their content. */
export function checkFiles(events: readonly BatonEvent[]): string[] {
  const brought = new Set<string>();
  const problems: string[] = [];
  for (const event of events) {
    const attachments = event.type === "run.started" || event.type === "tool.completed" ? event.data.attachments : [];
    for (const { sha256 } of attachments ?? []) brought.add(sha256);
    if (event.type === "tool.completed" && !event.data.result.endsWith(addReferences("", event.data.attachments)))
      problems.push(`the result at ${event.path} does not refer to its files`);
    const sent = event.type === "model.called" ? (event.data.attachments ?? []) : [];
    if (sent.some((sha256) => !brought.has(sha256)))
      problems.push(`a file is sent at ${event.path} that nobody brought`);
  }
  return problems;
}
