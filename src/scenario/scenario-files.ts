import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { decodeText } from "../attachments/sniff-type.ts";
import { takeIn } from "../attachments/take-in.ts";
import { type Blobs, RunAttachments } from "../run/run-attachments.ts";
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
  /** A text with the content of the text files that it refers to, as a model reads it. */
  expand(text: string, events: readonly BatonEvent[]): string;
}

export function openScenarioFiles({ file }: Scenario, folder: string): ScenarioFiles {
  const contents = new Map<string, Uint8Array>();
  const blobs: Blobs = {
    save: (bytes) => contents.set(createHash("sha256").update(bytes).digest("hex"), bytes),
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
