import type { ModelName } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { createLanguageModel } from "./language-model.ts";
import type { Model } from "./model.ts";
import { type ClientSettings, compatible, type Provider, providers } from "./providers.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Opens a provider's model. Its address and key come from the variables, and its package is imported now. */
export async function openModel(name: ModelName, variables: Variables): Promise<Model> {
  const { provider, model } = name;
  const known = providers[provider];
  const {
    package: packageName,
    open,
    ...style
  }: Pick<Provider, "package" | "open" | "options" | "reasoningBudget" | "wantsMarks"> = known ?? compatible;
  const settings = { name: provider, model, fetch: boundedFetch, ...reach(name, known, variables) };
  const client = await importPackage(packageName, () => open(settings));
  const isStreamed = variables["BATON_STREAM"] !== "off";
  const made = createLanguageModel(`${provider}/${model}`, client, { ...style, isStreamed });
  return { ...made, server: readServer(settings.baseURL) };
}

function readServer(baseURL: string): Model["server"] {
  const { protocol, hostname, port } = new URL(baseURL);
  const usual = protocol === "http:" ? 80 : 443;
  return { address: hostname.replace(/^\[(.*)\]$/, "$1"), port: port === "" ? usual : Number(port) };
}

/** The address and key of a provider, from the variables and the crew. */
export function reach(
  { provider, url }: ModelName,
  known: Provider | undefined,
  variables: Variables,
): Pick<ClientSettings, "baseURL" | "apiKey" | "isOwnAddress"> {
  const prefix = (provider.split(".")[0] ?? provider).toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  const trusted = addPath(variables[`${prefix}_BASE_URL`], known?.url, `${prefix}_BASE_URL`) ?? known?.url;
  const baseURL = addPath(url, known?.url, "provider_url") ?? trusted;
  if (baseURL === undefined) {
    const message = `provider '${provider}' is not known and has no address: set ${prefix}_BASE_URL, or use one of ${Object.keys(providers).join(", ")}`;
    throw new BatonError("unknown-provider", message);
  }
  const keys = known?.keys ?? [`${prefix}_API_KEY`];
  const apiKey = findKey(keys, variables);
  if (apiKey === undefined && known !== undefined && keys.length > 0 && baseURL === known.url)
    throw new BatonError("no-key", `provider '${provider}' needs a key: set ${keys.join(" or ")}`);
  if (apiKey !== undefined && !isTrusted(baseURL, [trusted, known?.url])) {
    const message = `the crew asks for ${baseURL} as the address of provider '${provider}', and Baton does not send your key to an address that only a crew names: set ${prefix}_BASE_URL=${baseURL} to allow it, or unset ${keys.join(", ")}`;
    throw new BatonError("foreign-address", message);
  }
  return { baseURL, apiKey, isOwnAddress: known !== undefined && baseURL === known.url };
}

function findKey(keys: readonly string[], variables: Variables): string | undefined {
  return keys.map((key) => variables[key]).find((value) => value !== undefined && value !== "");
}

/** If the address of a known provider has no path, it gets the path of the provider's own address. */
function addPath(address: string | undefined, own: string | undefined, from: string): string | undefined {
  if (address === undefined || address === "") return undefined;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new BatonError(
      "bad-address",
      `${from} is '${address}', which is not an address: write http://… or https://…`,
    );
  if (own === undefined || url.pathname !== "/") return address.replace(/(?<!\/)\/+$/, "");
  return `${url.origin}${new URL(own).pathname}`;
}

/**
 * A key is only sent where its owner wants it, and not to an address in a crew's files, unless that address is on this machine.
 */
function isTrusted(address: string, own: readonly (string | undefined)[]): boolean {
  const { origin, hostname } = new URL(address);
  const isLocal = hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return isLocal || own.some((each) => each !== undefined && new URL(each).origin === origin);
}

async function importPackage<Value>(packageName: string, open: () => Promise<Value>): Promise<Value> {
  try {
    return await open();
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    const message = `a package is missing: npm install ${packageName}`;
    throw new BatonError("missing-package", message, { cause: error });
  }
}
