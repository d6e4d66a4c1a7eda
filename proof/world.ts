import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The world outside all processes: what they did to it stays, whichever of them was killed. */
export interface WorldLine {
  readonly tool?: string;
  readonly args?: unknown;
  /** What a tool was told of its call. */
  readonly callId?: string;
  readonly idempotencyKey?: string;
  readonly attempt?: number;
  readonly decision?: string;
  readonly isTrue?: boolean;
  readonly words?: string;
}

type LogName = "calls" | "effects" | "answers";

export function noteInWorld(folder: string, name: LogName, line: object): void {
  appendFileSync(join(folder, `${name}.log`), `${JSON.stringify(line)}\n`);
}

export function readWorld(folder: string, name: LogName): readonly WorldLine[] {
  const file = join(folder, `${name}.log`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** What a call is known by: its tool and arguments. */
export function nameOfCall({ tool, args }: WorldLine): string {
  return `${tool} ${JSON.stringify(args)}`;
}
