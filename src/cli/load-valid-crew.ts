import { loadDefinition } from "../definition/load-definition.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { formatDiagnostics, summarize } from "./format-diagnostics.ts";
import { plainStyle, type Terminal } from "./terminal.ts";

/** The crew at `path` for a command that only looks at it, tools or no tools; undefined after saying what is wrong with it. */
export function loadValidCrew(path: string, root: string | undefined, terminal: Terminal): Crew | undefined {
  const { workingDirectory } = terminal;
  const { crew, diagnostics } = loadDefinition(path, {
    workingDirectory,
    stubTools: true,
    ...(root !== undefined && { root }),
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (crew !== undefined && errors.length === 0) return crew;
  terminal.note(`${formatDiagnostics(errors, plainStyle)}\n\n${summarize(errors, plainStyle)}`);
  return undefined;
}
