import { type Attachment, findReferences, nameReference } from "../vocabulary/attachment.ts";

/** Where the bytes of a run's attachments are. */
export interface Blobs {
  /** Resolves when the bytes are durable. */
  save(bytes: Uint8Array): Promise<unknown> | unknown;
  /** Deletes what was saved, if the run does not begin. */
  drop?(): Promise<unknown>;
  /** The bytes with that SHA-256; undefined if there are none. */
  read(sha256: string): Promise<Uint8Array | undefined> | Uint8Array | undefined;
}

/** For runs that call nothing: what they brought along is on record. */
export const absentBlobs: Blobs = {
  save: () => Promise.reject(new Error("this run only replays its journal, and stores nothing")),
  read: () => undefined,
};

/** The attachments that a run knows of, by the names that texts refer to them with. */
export class RunAttachments {
  readonly blobs: Blobs;
  /** The folder that files which tools name must be in. */
  readonly root: string;
  readonly #known = new Map<string, Attachment>();

  constructor(blobs: Blobs, root = process.cwd()) {
    this.blobs = blobs;
    this.root = root;
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** The bytes of all of them together, each content counted once. */
  get bytes(): number {
    return [...this.#known.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  has({ sha256 }: Pick<Attachment, "sha256">): boolean {
    return this.#known.get(nameReference({ sha256 }))?.sha256 === sha256;
  }

  note(attachments: readonly Attachment[] | undefined): void {
    for (const each of attachments ?? []) {
      const name = nameReference(each);
      if (!this.#known.has(name)) this.#known.set(name, each);
    }
  }

  /** What a text refers to. A reference to something that the run does not have is only text. */
  findIn(text: string): readonly Attachment[] {
    if (this.isEmpty) return none;
    return findReferences(text).flatMap((name) => this.#known.get(name) ?? none);
  }
}

const none: readonly Attachment[] = [];
