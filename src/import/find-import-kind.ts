import { extname } from "node:path";
import type { ImportKind } from "./crew-plan.ts";
import type { ImportSource } from "./find-sources.ts";

/** The kind of what is to be imported, as far as its names say; undefined where the files themselves have to be read. */
export function findImportKind(source: ImportSource): ImportKind | undefined {
  if (source.type === "langgraph") return undefined;
  if (source.type !== "loaded") return source.type;
  if (source.kind !== undefined) return source.kind;
  const file = source.files?.[0] ?? source.path;
  if (extname(file) === ".ai") return "ai-agent";
  if (/\.ya?ml$/.test(file)) return "go-agentic";
  if (/\/\.claude\/agents\//.test(file)) return "claude";
  if (/\.(?:agent|chatmode)\.md$|\/\.github\/(?:agents|chatmodes)\//.test(file)) return "copilot";
  return /\/\.?opencode\/agents?\//.test(file) ? "opencode" : undefined;
}
