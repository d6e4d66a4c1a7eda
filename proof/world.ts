import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { BatonEvent } from "../src/vocabulary/events.ts";

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
  const told: WorldLine[] = readLines(join(folder, `${name}.log`)).map((line) => JSON.parse(line));
  return name === "effects" ? [...told, ...readCommands(folder)] : told;
}

/** Programs note by themselves that they ran, as the commands of scenarios do: `echo <word> >> ran.log`. */
function readCommands(folder: string): WorldLine[] {
  const words = readLines(join(folder, "crew", RAN_LOG));
  return words.map((word) => ({ tool: "shell__run", args: { command: `echo ${word} >> ${RAN_LOG}` } }));
}

const RAN_LOG = "ran.log";

/** What agents have made of the files in the folder of their crew. */
export function readFiles(folder: string): Readonly<Record<string, string>> {
  const top = join(folder, "crew");
  const names = readdirSync(top, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(top, path), readFileSync(path, "utf8")]));
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

/** The call that an event puts on record: of a tool, or of an agent's function on the agent's input. */
export function readCall(event: BatonEvent | undefined, events: readonly BatonEvent[]): WorldLine | undefined {
  if (event?.type === "tool.called") return event.data;
  if (event?.type !== "function.called") return undefined;
  const session = event.path.replace(/\/f\d+$/, "");
  const started = events.find(({ type, path }) => type === "agent.started" && path === session);
  return { tool: nameFunction(event.agent), args: started?.type === "agent.started" ? started.data.input : "" };
}

export function nameFunction(agent = ""): string {
  return `function of ${agent}`;
}

/** What a call is known by: its tool and arguments. */
export function nameOfCall({ tool, args }: WorldLine): string {
  return `${tool} ${JSON.stringify(args)}`;
}
