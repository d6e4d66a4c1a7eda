import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Store } from "../journal/store.ts";
import { recordScenario } from "../scenario/record-scenario.ts";
import { listAttachments, nameFiles } from "../views/list-attachments.ts";
import type { Attachment } from "../vocabulary/attachment.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { type StoreOptions, withRun } from "./with-run.ts";

export interface RecordOptions extends StoreOptions {
  readonly out?: string;
}

/** `baton test --record`: writes a scenario that plays a recorded run again. */
export function record(name: string, options: RecordOptions, terminal: Terminal): Promise<number> {
  return withRun(name, options, terminal, async (runId, store) => {
    const events = await store.read(runId);
    const [started] = events;
    const source = started?.type === "run.started" ? started.data.source : undefined;
    if (source === undefined || !existsSync(source))
      throw new BatonError("unknown-crew", `the crew of run '${runId}' is gone: ${source ?? "it was made in code"}`);
    const file = resolve(terminal.workingDirectory, options.out ?? `${runId}.scenario.yaml`);
    if (existsSync(file)) throw new BatonError("file-exists", `${file} exists already; say --out <file>`);
    const folder = `${basename(file).replace(/\.scenario\.ya?ml$/, "")}.files`;
    const files = nameFiles(listAttachments(events));
    const nameFile = ({ sha256 }: Pick<Attachment, "sha256">) =>
      `${folder}/${files.find((each) => each.sha256 === sha256)?.file}`;
    const scenario = recordScenario(events, relative(dirname(file), source) || ".", nameFile);
    try {
      writeFileSync(file, scenario);
      await writeFiles(files, (each) => join(dirname(file), nameFile(each)), store);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new BatonError("not-written", `the scenario cannot be written to ${file}: ${why}; say --out <file>`, {
        cause,
      });
    }
    const shown = relative(terminal.workingDirectory, file);
    terminal.print(options.json ? JSON.stringify({ runId, file: shown }) : `${shown} plays ${runId} again`);
    return exitCodes.completed;
  });
}

/** Writes the files of the run beside the scenario that names them. */
async function writeFiles(
  files: readonly Attachment[],
  placeFile: (attachment: Attachment) => string,
  store: Pick<Store, "readBlob">,
): Promise<void> {
  for (const each of files) {
    const bytes = await store.readBlob(each.sha256);
    mkdirSync(dirname(placeFile(each)), { recursive: true });
    if (bytes !== undefined) writeFileSync(placeFile(each), bytes);
  }
}
