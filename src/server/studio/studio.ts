import type { StudioFiles } from "./studio-files.ts";
import type { StudioSessions } from "./studio-sessions.ts";

/** The studio of a server: its page, and who is logged in to it. */
export interface Studio {
  readonly files: StudioFiles;
  readonly sessions: StudioSessions;
  /** Whether browsers send the cookie over TLS only. */
  readonly isSecure: boolean;
  /** Whether it is one person's own, who opens it with a link. */
  readonly isLocal: boolean;
  /** Whether files of crews can be changed at once; otherwise somebody allows it on the page first. */
  readonly canWrite: boolean;
}
