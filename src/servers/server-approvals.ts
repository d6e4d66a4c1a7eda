import { createHash, randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { McpServer } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** What this machine remembers about a server: that it may be started, and what its tools were. */
interface Approval {
  readonly server: string;
  readonly what: string;
  /** Hashes of the definitions of used tools, by name. */
  readonly tools: Readonly<Record<string, string>>;
}

type Approvals = Readonly<Record<string, Approval>>;

/** The approvals of this machine. They are read again each time, because other processes may have added some. */
export interface ServerApprovals {
  readonly file: string;
  find(server: McpServer): Approval | undefined;
  save(server: McpServer, approval: Approval): void;
}

export function openServerApprovals(variables: Readonly<Record<string, string | undefined>>): ServerApprovals {
  const home = variables["BATON_HOME"] ?? join(variables["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "baton");
  const file = join(home, "mcp-approvals.json");
  return {
    file,
    find: (server) => read(file)[hashDefinition(server)],
    save(server, approval) {
      mkdirSync(home, { recursive: true, mode: 0o700 });
      const next = `${file}.${randomUUID()}`;
      writeFileSync(next, JSON.stringify({ ...read(file), [hashDefinition(server)]: approval }, undefined, 2), {
        mode: 0o600,
      });
      chmodSync(next, 0o600);
      renameSync(next, file);
    },
  };
}

/** A short name for a definition. It differs as soon as anything in the definition differs. */
export function hashDefinition(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(value)))
    .digest("hex");
}

function read(file: string): Approvals {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new BatonError(
      "bad-approvals",
      `${file} cannot be read: repair it, or delete it to be asked again for each server`,
      { cause },
    );
  }
}

/** Sorts the keys of a value at every level. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}
