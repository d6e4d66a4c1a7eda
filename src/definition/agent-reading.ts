import type { Origin } from "./origins/origin.ts";
import type { Reporter } from "./problem-log.ts";

/** What agents' files may take from around them. */
export interface FileScope {
  /** The folder that no path may leave. */
  readonly root: string;
  /** The environment variables that a project lets its prompts have. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What an agent's file is read for. */
export interface AgentReading extends FileScope {
  readonly reporter: Reporter;
  /** The system that the crew's file was written for. */
  readonly crewOrigin?: Origin | undefined;
  /** Whether no crew.yaml lists the agent. Then its file alone says what system it was written for. */
  readonly isLone: boolean;
}
