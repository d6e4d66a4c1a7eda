import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { decodeText } from "../attachments/sniff-type.ts";
import { takeIn } from "../attachments/take-in.ts";
import { hashBytes } from "../journal/blob-methods.ts";
import { type Blobs, RunAttachments } from "../run/run-attachments.ts";
import { splitResult } from "../tools/split-result.ts";
import { listAttachments } from "../views/list-attachments.ts";
import {
  type Attachment,
  findReferences,
  isTextType,
  nameReference,
  usualAttachmentLimits,
} from "../vocabulary/attachment.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Scenario } from "./read-scenario.ts";

/** The files of a scenario's run, which are gone with it. */
export interface ScenarioFiles {
  readonly blobs: Blobs;
  /** Where the crew's files are; what tools name is looked for there. */
  readonly folder: string;
  /** Brings the files that the scenario names into the run. */
  bring(named: Scenario["attachments"], crew: Crew): Promise<readonly Attachment[]>;
  /** The result of a tool with the content of the files that it names: on a virtual clock, nobody waits for a disk. */
  readResult(result: unknown): unknown;
  /** A text with the content of the text files that it refers to, as a model reads it. */
  expand(text: string, events: readonly BatonEvent[]): string;
}

export function openScenarioFiles({ file }: Scenario, folder: string): ScenarioFiles {
  const contents = new Map<string, Uint8Array>();
  const blobs: Blobs = {
    save: (bytes) => contents.set(hashBytes(bytes), bytes),
    read: (sha256) => contents.get(sha256),
  };
  const into = new RunAttachments(blobs);
  const find = (path: string) => {
    const beside = resolve(dirname(file), path);
    return existsSync(beside) ? beside : resolve(folder, path);
  };
  return {
    blobs,
    folder,
    bring(named = [], { settings: { attachments: limits = usualAttachmentLimits } }) {
      const inputs = named.map((each) => {
        if (typeof each === "string") return { path: find(each) };
        const { path = "", name, media_type: mediaType } = each;
        return { path: find(path), ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) };
      });
      return takeIn(inputs, into, { limits });
    },
    readResult(result) {
      const { result: rest, attachments } = splitResult(result);
      if (attachments.length === 0) return result;
      const read = attachments.map(({ path, name = path, ...others }) => {
        if (path === undefined || !existsSync(find(path))) return { ...others, ...(path !== undefined && { path }) };
        return { ...others, bytes: readFileSync(find(path)), ...(name !== undefined && { name }) };
      });
      return typeof rest === "object" && rest !== null
        ? { ...rest, attachments: read }
        : { text: rest, attachments: read };
    },
    expand(text, events) {
      const known = new Map(listAttachments(events).map((each) => [nameReference(each), each]));
      const texts = findReferences(text).flatMap((name) => {
        const attachment = known.get(name);
        const bytes = attachment && isTextType(attachment.mediaType) ? contents.get(attachment.sha256) : undefined;
        return bytes === undefined ? [] : [decodeText(bytes) ?? ""];
      });
      return [text, ...texts].join("\n\n");
    },
  };
}
