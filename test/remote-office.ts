import { type CrewHandle, loadCrew, openMemoryStore } from "../src/index.ts";
import { script } from "../src/prepare/script.ts";
import { writeCrew } from "./write-crew.ts";

/** A crew whose clerk asks a remote desk. */
export function writeOffice(card: string, keys = ""): string {
  return writeCrew({
    "baton.yaml": "",
    "crew.yaml": `version: "2.0"
name: office
agents:
  - clerk
  - { id: desk, a2a: { card: "${card}"${keys} }, description: Knows the bills, is_terminal: true }
routing:
  signals:
    clerk: [{ signal: "[DESK]", target: desk }]
    desk: [{ signal: "[LEGAL]", target: clerk }]
`,
    "agents/clerk.md": "---\nid: clerk\nmodels: [openai/x]\n---\nAsk. [DESK]",
  });
}

export interface Given {
  readonly store?: ReturnType<typeof openMemoryStore>;
  readonly replies?: Parameters<typeof script>[0];
  readonly approves?: boolean;
  readonly home?: string;
}

export async function openOffice(folder: string, given: Given = {}): Promise<CrewHandle> {
  const { store = openMemoryStore(), replies = { clerk: ["Ask them. [DESK]"] }, approves = true } = given;
  return loadCrew(".", {
    workingDirectory: folder,
    script: script(replies),
    env: { BATON_HOME: given.home ?? folder, DESK_TOKEN: "bt_operator" },
    ...(approves && { approveServer: () => true }),
    store,
  });
}
