import type { Store } from "../journal/store.ts";
import { collectObjects } from "../prepare/model-choices.ts";
import type { ModelSource } from "../prepare/prepare-models.ts";
import { nameModelOptions, rememberModels } from "../prepare/remember-models.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Clock } from "../run/clock.ts";
import { copyCrewForStore } from "../run-storage/crew-copy.ts";
import type { RunLogs } from "../run-storage/run-log.ts";
import { keepFiles } from "../runtime/bring-files.ts";
import { checkInput, checkInputSize } from "../runtime/check-input.ts";
import { refuseStartOptions } from "../runtime/check-options.ts";
import type { CrewVersions } from "../runtime/crew-versions.ts";
import type { RunOptions } from "../runtime/environment.ts";
import { checkFork, type Fork, forkCrew, forkEvents, redactFork } from "../runtime/fork-run.ts";
import type { LiveRun } from "../runtime/live-run.ts";
import type { OpenRuns } from "../runtime/open-runs.ts";
import { runCrew } from "../runtime/run-crew.ts";
import { Runtime, type RuntimeEnvironment } from "../runtime/runtime.ts";
import { listAttachments } from "../views/list-attachments.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { createRunId, toRunId } from "../vocabulary/ids.ts";
import type { QueueRule } from "../vocabulary/queue-rule.ts";
import { readStart } from "./continue-runs.ts";
import { readQueue } from "./read-queue.ts";

/** What forks of a crew's runs are made with. */
interface ForkParts {
  readonly definition: Crew;
  readonly logs: RunLogs;
  readonly versions: CrewVersions;
  readonly runs: OpenRuns;
  readonly clock: Clock;
  readonly environment: RuntimeEnvironment;
  /** Registered models. Those of a fork are added, so that a resume of it finds them by their names. */
  readonly custom: NonNullable<ModelSource["custom"]>;
  readonly queues: readonly QueueRule[];
}

/** Stores a copy of the crew with the fork's prompts, so that other processes can continue the fork with them. */
async function keepForkedCrew(added: BatonEvent[], crew: Crew, store: Store, redactor: Redactor): Promise<void> {
  const [started] = added;
  if (started?.type !== "run.started") return;
  const { fingerprint, value } = copyCrewForStore(crew, redactor);
  await store.put("crew", fingerprint, value, 0);
  added[0] = { ...started, data: { ...started.data, fingerprint } };
}

/** Starts a run that begins with the events of another one. */
export function startFork(id: string, change: Fork, options: RunOptions, parts: ForkParts): LiveRun {
  const { definition, logs, versions, runs, clock, environment, custom, queues } = parts;
  return runs.open(createRunId(crypto.randomUUID()), options, async (run) => {
    refuseStartOptions(options);
    checkFork(change);
    if (change.input !== undefined) {
      checkInput(change.input);
      checkInputSize(change.input, definition);
    }
    const events = await logs.read(toRunId(id));
    readStart(id, events);
    const words = definition.settings.redact ? redactFork(change, versions.current.redactor.redact) : change;
    const script = options.script ?? runs.scriptOf(toRunId(id));
    const { models } = environment;
    const added = forkEvents(events, words, {
      runId: run.id,
      clock,
      crew: definition,
      named: nameModelOptions(script, models?.named),
    });
    if (change.prompts !== undefined && environment.store !== undefined)
      await keepForkedCrew(added, forkCrew(definition, change), environment.store, versions.current.redactor);
    const begun = readStart(run.id, added);
    const objects = collectObjects(change.models ?? []);
    Object.assign(custom, { ...objects, ...custom });
    const source = { ...models, custom: { ...custom, ...objects }, ...(script !== undefined && { script }) };
    const remembered = rememberModels(source, added) ?? source;
    const runtime = new Runtime(forkCrew(definition, change), begun.variables ?? {}, {
      ...environment,
      models: remembered,
      isIdle: environment.onlyQueues ?? false,
    });
    await runCrew(
      run,
      () => logs.begin(run.id),
      async (log) => {
        const from = await logs.openBlobs(toRunId(id));
        await keepFiles(listAttachments(added), async (sha256) => from.read(sha256), log);
        const queue = readQueue(
          { ...options, variables: begun.variables, conversation: begun.session?.id },
          definition,
          queues,
          clock,
        );
        return { runtime, start: begun, added, ...(queue !== undefined && { queue }) };
      },
    );
  });
}
