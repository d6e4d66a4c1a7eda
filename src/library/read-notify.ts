import type { Project } from "../definition/read-project.ts";
import type { NotifyRule } from "../run-storage/notifications.ts";

/** Whom a project tells when runs pause or end. */
export function readNotify(project: Project | undefined): readonly NotifyRule[] {
  return (project?.notify ?? []).flatMap(({ url, secret_env: secretEnv, on, crews }) =>
    url === undefined ? [] : { url, secretEnv, on, crews },
  );
}
