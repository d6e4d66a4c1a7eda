import { RequestError, request } from "../api/request.ts";
import type { CrewDiagnostic } from "../api/studio-api.ts";
import type { GraphJson } from "../graph/graph-data.ts";

const crewPath = (crew: string) => `/v1/crews/${encodeURIComponent(crew)}`;
const filePath = (crew: string, path: string) =>
  `${crewPath(crew)}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
const OURS = { "x-baton-studio": "1" };

export function listFiles(crew: string): Promise<{ readonly files: readonly string[] }> {
  return request("GET", `${crewPath(crew)}/files`);
}

/** A file's text, and the ETag that a later save names. */
export async function readFile(crew: string, path: string): Promise<{ text: string; etag: string | undefined }> {
  const response = await fetch(filePath(crew, path), { headers: OURS });
  if (!response.ok) throw new RequestError(response.status, "error", `${path} cannot be read`);
  return { text: await response.text(), etag: response.headers.get("etag") ?? undefined };
}

/** Saves a file if it still is on disk what was read; resolves to its new ETag. */
export async function writeFile(crew: string, path: string, text: string, etag: string | undefined) {
  const response = await fetch(filePath(crew, path), {
    method: "PUT",
    headers: { ...OURS, "content-type": "application/json", ...(etag !== undefined && { "if-match": etag }) },
    body: JSON.stringify({ text }),
  });
  if (response.ok) return response.headers.get("etag") ?? undefined;
  const { code = "error", detail = "" } = (await response.json()) as { code?: string; detail?: string };
  throw new RequestError(response.status, code, detail);
}

/** What is wrong with a crew as it is being edited, and its drawing if nothing is. */
export function checkEdited(
  crew: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly diagnostics: readonly CrewDiagnostic[]; readonly graph?: GraphJson }> {
  return request("POST", `${crewPath(crew)}/check`, { files });
}
