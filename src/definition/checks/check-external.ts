import type { CrewParts } from "../crew-parts.ts";

/** A name that says itself what the variable is for. */
const SAYS_SO = /(?:^|_)WEBHOOK_SECRET$/;
/** The variables that models' keys are read from all end so. */
const PROVIDER_KEY = /API_?KEY$/i;

/** A crew's files may not have any variable that they like sign something that they send to any address that they like. */
export function checkExternal({ crewFile, project, placeOf }: CrewParts): void {
  const name = crewFile.keys.settings?.external?.secret_env;
  if (name === undefined) return;
  const report = (why: string) =>
    crewFile.reporter.report("bad-secret-name", placeOf(["settings", "external", "secret_env"]), why);
  if (PROVIDER_KEY.test(name)) report(`'${name}' is a provider's key: give the webhook a secret of its own`);
  else if (!SAYS_SO.test(name) && !project.webhook_secrets.includes(name))
    report(
      `'${name}' is not known as a webhook's secret: call it <NAME>_WEBHOOK_SECRET, or list it under webhook_secrets in baton.yaml`,
    );
}
