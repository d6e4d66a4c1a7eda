import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { AddTool } from "./add-tool.ts";
import { addCrewFileTools } from "./crew-file-tools.ts";
import type { DevPlace } from "./dev-place.ts";
import { listPages } from "./reference-pages.ts";
import { addStoredRunTools } from "./stored-run-tools.ts";
import { writeCrewPrompt } from "./write-crew-prompt.ts";

/** The page that a prompt brings along. */
const FIRST_PAGE = "baton://docs/crews.md";

/** What a coding assistant needs to write crews: tools, the reference pages, and a prompt. */
export function createDevTools(place: DevPlace): (server: McpServer, add: AddTool) => void {
  const pages = listPages();
  return (server, add) => {
    addCrewFileTools(add, place);
    addStoredRunTools(add, place);
    for (const { uri, name, title, mimeType, read } of pages)
      server.registerResource(name, uri, { title, mimeType }, () => ({ contents: [{ uri, mimeType, text: read() }] }));
    const first = pages.find(({ uri }) => uri === FIRST_PAGE);
    server.registerPrompt(
      "write_crew",
      {
        title: "Write a crew",
        description: "Writes a crew for a task: agents, routing, scenarios; checked, planned and tested",
        argsSchema: z.object({ task: z.string().meta({ description: "What the crew is to do" }) }),
      },
      ({ task }) => ({
        messages: [
          { role: "user", content: { type: "text", text: writeCrewPrompt(task) } },
          ...(first === undefined
            ? []
            : [
                {
                  role: "user" as const,
                  content: {
                    type: "resource" as const,
                    resource: { uri: first.uri, mimeType: first.mimeType, text: first.read() },
                  },
                },
              ]),
        ],
      }),
    );
  };
}
