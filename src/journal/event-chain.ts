import { crc32 } from "node:zlib";
import type { EventRecord } from "./event-record.ts";
import { mayHaveLargeTexts, type Piece, takeOutTexts } from "./large-texts.ts";

/** One event of the chain. */
export interface Link {
  readonly text: string;
  readonly chain: number;
  /** The pieces that its text refers to. */
  readonly pieces: readonly Piece[];
}

/** The checksum before the first event. */
export function beginChain(runId: string): number {
  return crc32(runId);
}

/** The chain breaks at the first record that was changed, lost, moved or exchanged. */
export function extendChain(before: number, text: string): number {
  return crc32(text, before);
}

export function listLinks(chain: number, records: readonly EventRecord[]): Link[] {
  let last = chain;
  return records.map((record) => {
    const { json, pieces } = mayHaveLargeTexts(record.text)
      ? takeOutTexts(record.text)
      : { json: record.text, pieces: [] };
    last = extendChain(last, json);
    return { text: json, chain: last, pieces };
  });
}
