import { formatModelName, parseModels } from "../prepare/prepare-models.ts";
import { type ApprovalOptions, askForServers } from "./approve-servers.ts";
import { type DriveOptions, driveRun } from "./drive-run.ts";
import type { ModelOptions } from "./run-command.ts";
import type { Terminal } from "./terminal.ts";
import { loadCrewOfRun, withRun } from "./with-run.ts";

export interface ForkOptions extends DriveOptions, ModelOptions, ApprovalOptions {
  readonly at: number;
  readonly reply?: string;
  readonly input?: string;
  readonly prompt?: Readonly<Record<string, string>>;
  readonly root?: string;
  readonly crew?: string;
}

/** `baton fork`: a new run with the past of another, up to an event, and one thing changed. */
export async function fork(name: string, options: ForkOptions, terminal: Terminal): Promise<number> {
  return withRun(name, options, terminal, async (runId, store) => {
    const { at, reply, input, prompt = {}, model } = options;
    const crew = await loadCrewOfRun(await store.read(runId), store, options, terminal);
    const change = {
      at,
      prompts: prompt,
      ...(reply !== undefined && { reply }),
      ...(input !== undefined && { input }),
      ...(model !== undefined && { models: parseModels(model).map(formatModelName) }),
    };
    const go = () => driveRun(crew, options, terminal, (watching) => crew.fork(runId, change, watching).result);
    return askForServers(terminal, go);
  });
}
