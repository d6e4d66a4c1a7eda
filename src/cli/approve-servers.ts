import { approveServer, type ServerRequest, UnapprovedServer } from "../servers/hold-servers.ts";
import { openServerApprovals } from "../servers/server-approvals.ts";
import { cleanText } from "./live/clean-text.ts";
import { askLine } from "./question.ts";
import type { Terminal } from "./terminal.ts";

export interface ApprovalOptions {
  /** Starts the MCP servers that the crew names without asking, and says which. */
  readonly yes?: boolean;
}

/** What `--yes` lets pass, by name. */
export function createApproval({ yes }: ApprovalOptions, { note }: Terminal) {
  const approve = (request: ServerRequest) => {
    const { changed, kind } = request;
    const isRemote = kind === "remote agent";
    const what = isRemote ? "card has" : "tools have";
    const changes = changed.length === 0 ? "" : `; its ${what} changed since they were approved: ${changed.join(", ")}`;
    const doing = isRemote ? "calling remote agent" : "starting MCP server";
    note(cleanText(`${doing} ${formatTitle(request)}${changes}`));
    return true;
  };
  return { onWait: (message: string) => note(cleanText(message)), ...(yes === true && { approveServer: approve }) };
}

/** Runs; where a server is new to this machine a person is asked once, and the run is begun again. */
export async function askForServers(terminal: Terminal, go: () => Promise<number>): Promise<number> {
  for (;;) {
    try {
      return await go();
    } catch (error) {
      if (!(error instanceof UnapprovedServer) || !terminal.isInteractive) throw error;
      if (!(await isAllowed(error.request, terminal))) throw error;
      approveServer(error.request, openServerApprovals(terminal.variables));
    }
  }
}

async function isAllowed(request: ServerRequest, { note }: Terminal): Promise<boolean> {
  const { changed, kind } = request;
  const isRemote = kind === "remote agent";
  const named = kind ?? "MCP server";
  const what = isRemote ? "The card has changed" : `Tools have changed (${changed.join(", ")})`;
  const why = changed.length === 0 ? `This crew uses the ${named}` : `${what} of the ${named}`;
  note(`${cleanText(why)} ${formatTitle(request)}`);
  const rights = isRemote ? "It is sent what the crew gives it." : "It runs with your rights.";
  note(`${rights} Allow this ${isRemote ? "agent" : "server"} on this machine from now on? [y/N]`);
  return /^y(es)?$/i.test((await askLine(process.stderr))?.trim() ?? "");
}

function formatTitle({ server, what }: ServerRequest): string {
  return cleanText(`'${server}': ${what}`);
}
