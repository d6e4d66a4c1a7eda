import type { Attachment } from "../vocabulary/attachment.ts";
import type { BatonEvent } from "../vocabulary/events.ts";

/** Every file that events name, in the order in which they came. */
export function listAttachments(events: readonly BatonEvent[]): readonly Attachment[] {
  const found = events.flatMap((event) => {
    if (event.type === "run.started") {
      const { session, attachments = [] } = event.data;
      return [...(session?.attachments ?? []), ...attachments];
    }
    if (event.type === "run.resumed" || event.type === "tool.completed") return event.data.attachments ?? [];
    return [];
  });
  const byHash = new Map<string, Attachment>();
  for (const each of found) if (!byHash.has(each.sha256)) byHash.set(each.sha256, each);
  return [...byHash.values()];
}

/** Attachments with names of files of which no two are the same, whether or not a file system tells upper from lower case. */
export function nameFiles(attachments: readonly Attachment[]): readonly (Attachment & { readonly file: string })[] {
  const taken = new Set<string>();
  return attachments.map((attachment) => {
    const [, stem = "", ending = ""] = /^(.*?)(\.[^.]+)?$/s.exec(attachment.name) ?? [];
    let file = attachment.name;
    for (let n = 2; taken.has(file.toLowerCase()); n++) file = `${stem}-${n}${ending}`;
    taken.add(file.toLowerCase());
    return { ...attachment, file };
  });
}
