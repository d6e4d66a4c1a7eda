import { createHash } from "node:crypto";

/** Ids that are no ids of ours stand for a hash, so that any client's id is one. */
export function nameConversation(id: string): string {
  return /^[A-Za-z0-9._-]{1,128}$/.test(id) ? id : `h_${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
}
