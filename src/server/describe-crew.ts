import { basename } from "node:path";
import type { ServedCrew } from "./served-crews.ts";

/** A crew for its callers: never prompts unless they are asked for, nor addresses and keys of the environment. */
export function describeCrew({ name, crew, diagnostics }: ServedCrew, hasPrompts: boolean): unknown {
  const { description, entryPoint, agents, settings, subCrews } = crew.definition;
  const { external: _, ...shown } = settings;
  return {
    name,
    ...(description !== undefined && { description }),
    entry: entryPoint.type === "agent" ? entryPoint.agent : "auto",
    agents: [...agents.values()].map((agent) => ({
      id: agent.id,
      ...(agent.name !== undefined && { name: agent.name }),
      ...(agent.description !== undefined && { description: agent.description }),
      tools: agent.tools,
      ...(hasPrompts && { prompt: agent.prompt }),
    })),
    subCrews: [...subCrews.keys()],
    settings: shown,
    // Folders of this machine are nobody's business.
    diagnostics: diagnostics.map(({ severity, code, message, file, line, column }) => ({
      ...{ severity, code, message, file: basename(file), line, column },
    })),
  };
}
