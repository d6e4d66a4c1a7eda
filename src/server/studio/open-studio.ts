import type { Store } from "../../journal/store.ts";
import type { TokenBook } from "../token-book.ts";
import type { Studio } from "./studio.ts";
import { readStudioFiles } from "./studio-files.ts";
import { StudioSessions } from "./studio-sessions.ts";

export interface StudioOptions {
  /** The folder of the built page. */
  readonly folder: string;
  /** Whether it is one person's own: a link opens it, and nothing is continued or begun unasked, since that may cost money. */
  readonly isLocal: boolean;
  readonly canWrite: boolean;
}

/** Reads the page, and remembers who was logged in. */
export function openStudio(
  { folder, isLocal, canWrite }: StudioOptions,
  server: { readonly store: Store; readonly tokens: TokenBook; readonly publicUrl: string | undefined },
): Studio {
  const { store, tokens, publicUrl } = server;
  return {
    files: readStudioFiles(folder),
    sessions: new StudioSessions(store, (now) => tokens.list(now), isLocal),
    isSecure: publicUrl?.startsWith("https:") ?? false,
    isLocal,
    canWrite,
  };
}
