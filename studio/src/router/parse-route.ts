/** A page of the studio. Every view has its own address, so that back, reload and a shared link work. */
export type Route =
  | { readonly page: "runs" }
  | { readonly page: "run"; readonly runId: string }
  | { readonly page: "fork"; readonly runId: string; readonly at: number }
  | { readonly page: "compare"; readonly a: string; readonly b: string }
  | { readonly page: "inbox" }
  | { readonly page: "crews" }
  | { readonly page: "crew"; readonly crew: string; readonly tab: CrewTab }
  | { readonly page: "chat"; readonly crew: string; readonly conversation: string | undefined }
  | { readonly page: "stats" }
  | { readonly page: "unknown"; readonly path: string };

export type CrewTab = "graph" | "files" | "run" | "plan" | "coverage" | "stats";

const crewTabs: readonly CrewTab[] = ["graph", "files", "run", "plan", "coverage", "stats"];

const BASE = "/studio";

export function parseRoute(path: string): Route {
  const parts = path
    .replace(BASE, "")
    .split("/")
    .filter((part) => part !== "")
    .map(decodePart);
  const [first = "runs", second, third, fourth] = parts;
  if (first === "runs" && second === undefined) return { page: "runs" };
  if (first === "runs" && second !== undefined && third === "fork" && /^\d+$/.test(fourth ?? ""))
    return { page: "fork", runId: second, at: Number(fourth) };
  if (first === "runs" && second !== undefined && third === undefined) return { page: "run", runId: second };
  if (first === "compare" && second !== undefined && third !== undefined)
    return { page: "compare", a: second, b: third };
  if (first === "inbox") return { page: "inbox" };
  if (first === "stats") return { page: "stats" };
  if (first === "crews" && second === undefined) return { page: "crews" };
  if (first === "crews" && second !== undefined && third === "chat")
    return { page: "chat", crew: second, conversation: fourth };
  if (first === "crews" && second !== undefined)
    return { page: "crew", crew: second, tab: crewTabs.find((tab) => tab === third) ?? "graph" };
  return { page: "unknown", path };
}

/** An address someone mistyped may hold a broken escape. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a page. */
export function linkTo(...parts: readonly (string | number)[]): string {
  return [BASE, ...parts.map((part) => encodeURIComponent(part))].join("/");
}
