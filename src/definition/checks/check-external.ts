import { explainUnset, fillReferences, listReferences } from "../../vocabulary/environment-references.ts";
import type { CrewParts } from "../crew-parts.ts";
import { isWebAddress } from "../scalar-shapes.ts";
import { isSecretName } from "../secret-names.ts";

/** A name that says itself what the variable is for. */
const SAYS_SO = /(?:^|_)WEBHOOK_SECRET$/;
/** The variables that models' keys are read from all end so. */
const PROVIDER_KEY = /API_?KEY$/i;
/** A variable whose name says that it belongs to a webhook. */
const OF_A_HOOK = /HOOK/i;

/** A crew's files may not have any variable that they like sign something, or sent to any address that they like. */
export function checkExternal(parts: CrewParts): void {
  const { external } = parts.crewFile.keys.settings ?? {};
  if (external === undefined) return;
  if (external.secret_env !== undefined) checkSecretName(external.secret_env, parts);
  if (external.webhook !== undefined) checkAddress(external.webhook, parts);
}

function checkSecretName(name: string, { crewFile, project, placeOf }: CrewParts): void {
  const report = (why: string) =>
    crewFile.reporter.report("bad-secret-name", placeOf(["settings", "external", "secret_env"]), why);
  if (PROVIDER_KEY.test(name)) report(`'${name}' is a provider's key: give the webhook a secret of its own`);
  else if (!SAYS_SO.test(name) && !project.webhook_secrets.includes(name))
    report(
      `'${name}' is not known as a webhook's secret: call it <NAME>_WEBHOOK_SECRET, or list it under webhook_secrets in baton.yaml`,
    );
}

function checkAddress(address: string, { crewFile, project, placeOf, environment }: CrewParts): void {
  const { reporter } = crewFile;
  const place = placeOf(["settings", "external", "webhook"]);
  const isAllowed = (name: string) =>
    !PROVIDER_KEY.test(name) && (!isSecretName(name) || OF_A_HOOK.test(name) || project.webhook_secrets.includes(name));
  const names = listReferences(address);
  const refused = names.filter((name) => !isAllowed(name));
  for (const name of refused) {
    const why = PROVIDER_KEY.test(name)
      ? `'${name}' is a provider's key, which goes to no webhook`
      : `'${name}' is not known as a webhook's secret: call it <NAME>_WEBHOOK_<…>, or list it under webhook_secrets in baton.yaml`;
    reporter.report("bad-secret-name", place, why);
  }
  if (environment === undefined || refused.length > 0 || names.length === 0) return;
  const unset = new Set<string>();
  const filled = fillReferences(address, environment, (name) => {
    unset.add(name);
    return "";
  });
  for (const name of unset) reporter.report("unset-variable", place, explainUnset("the webhook's address", name));
  if (unset.size === 0 && !isWebAddress(filled))
    reporter.report("bad-address", place, `with ${names.join(" and ")} filled in, the webhook's address is none`);
}
