import { resolve } from "node:path";
import { placeAllowance } from "../definition/build-tool-sets.ts";
import { type CheckCrewOptions, checkCrew } from "../definition/check-crew.ts";
import type { Store } from "../journal/store.ts";
import { openCrew } from "../library/crew-handle.ts";
import { checkConversationId } from "../library/find-thread.ts";
import { newWarnings } from "../library/new-warnings.ts";
import { readNotify } from "../library/read-notify.ts";
import { refuseErrors } from "../library/refuse-errors.ts";
import { listVariables } from "../prepare/fill-variables.ts";
import { type ModelSource, parseModels } from "../prepare/prepare-models.ts";
import { readScript } from "../prepare/read-script.ts";
import type { CrewInput } from "../runtime/bring-files.ts";
import { checkInput, checkInputSize } from "../runtime/check-input.ts";
import type { AttachmentInput } from "../vocabulary/attachment-input.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonErrorCode } from "../vocabulary/error-codes.ts";
import { BatonError, ConfigurationError } from "../vocabulary/errors.ts";
import { nearestName } from "../vocabulary/nearest-name.ts";
import { type ApprovalOptions, askForServers, createApproval } from "./approve-servers.ts";
import { type DriveOptions, driveRun } from "./drive-run.ts";
import { formatDiagnostics, summarize } from "./format-diagnostics.ts";
import { findRoot, openStore } from "./open-store.ts";
import type { PlainViewOptions } from "./plain-view.ts";
import { sendNotices } from "./send-notices.ts";
import { exitCodes, plainStyle, type Terminal } from "./terminal.ts";

export interface RunCommandOptions extends DriveOptions, ModelOptions, ApprovalOptions, FileOptions {
  /** The conversation to continue. */
  readonly conversation?: string;
  readonly stubTools?: boolean;
  readonly allow?: string;
  readonly user?: string;
  readonly var?: Readonly<Record<string, string>>;
  readonly root?: string;
}

/** The files that come with what is said. */
export interface FileOptions {
  readonly file?: readonly string[];
}

/** Where the models come from, in the place of what the crew says. */
export interface ModelOptions {
  readonly model?: string;
  readonly script?: string;
}

/** `baton run`: runs a crew and prints its answer; in a pipe nothing else goes to standard output. */
export async function run(
  path: string,
  words: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { workingDirectory } = terminal;
  const source = resolve(workingDirectory, path);
  let store: Store | undefined;
  try {
    if (options.conversation !== undefined) checkConversation(options.conversation, options);
    const models = chooseModelSource(options, terminal);
    const loaded = checkCrew(path, { ...chooseReading(options), workingDirectory, environment: terminal.variables });
    const definition = refuseErrors(`the crew at ${path}`, loaded);
    const text = await readText(words, options, terminal);
    const input = addFiles(text, options, terminal);
    if (typeof input === "string") checkInput(input);
    checkInputSize(text, definition);
    // Only now that there is something to run: a wrong path leaves no store behind.
    if (options.journal !== false) store = await openStore(options.root ?? findRoot(path, terminal), terminal);
    const crew = openCrew(definition, loaded.diagnostics, {
      models,
      root: loaded.root,
      notify: readNotify(loaded.project),
      ...createApproval(options, terminal),
      variables: options.var ?? {},
      ...(store !== undefined && { store, source }),
      ...(options.allow !== undefined && { allow: placeAllowance(options.allow, workingDirectory) }),
    });
    for (const warning of describeUnusedVariables(definition, options.var ?? {})) terminal.note(warning);
    const { root, outside } = loaded;
    if (outside !== undefined)
      terminal.note(
        `the project root is ${root}: nothing marks one (baton.yaml, package.json or .git), and the crew uses ${outside}`,
      );
    const warnings = await newWarnings(source, crew.diagnostics, store);
    for (const { file, line, message } of warnings) terminal.note(`warning: ${file}:${line} ${message}`);
    if (warnings.length > 0 && store !== undefined)
      terminal.note(`Printed once; 'baton check ${path}' shows warnings again.`);
    const started = options.conversation === undefined ? crew : crew.conversation(options.conversation);
    const go = () =>
      driveRun(crew, options, terminal, (watching) =>
        started.run(input, options.user === undefined ? watching : { ...watching, user: options.user }),
      );
    return await askForServers(terminal, go);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  } finally {
    if (store !== undefined) await sendNotices(store, terminal);
    await store?.close();
  }
}

/** A person at a terminal who names a file need not say anything. */
async function readText(words: readonly string[], { file }: FileOptions, terminal: Terminal): Promise<string> {
  if (words.length > 0) return words.join(" ");
  return file !== undefined && terminal.isInteractive ? "" : terminal.readInput();
}

/** The words with the files that come with them. */
export function addFiles(text: string, options: FileOptions, terminal: Terminal): CrewInput {
  const attachments = listFiles(options, terminal);
  return attachments === undefined ? text : { text, attachments };
}

/** The files that a command names: paths, or addresses. */
export function listFiles(
  { file: files }: FileOptions,
  { workingDirectory }: Pick<Terminal, "workingDirectory">,
): readonly AttachmentInput[] | undefined {
  return files?.map((file) => (/^https?:\/\//i.test(file) ? { url: file } : { path: resolve(workingDirectory, file) }));
}

/** How the crew's files are read. */
function chooseReading({ stubTools, allow, root }: RunCommandOptions): CheckCrewOptions {
  return {
    ...(stubTools && { stubTools }),
    ...(allow !== undefined && { allow }),
    ...(root !== undefined && { root }),
  };
}

/** A variable that no prompt has is a slip: the prompt that it was for goes to the model as it is. */
function describeUnusedVariables(crew: Crew, given: Readonly<Record<string, string>>): string[] {
  const names = listVariables(crew);
  const unused = Object.keys(given).filter((name) => !names.has(name));
  return unused.map((name) => {
    const nearest = nearestName(name, names);
    const hint = nearest === undefined ? "" : `; did you mean '${nearest}'?`;
    return `warning: --var ${name} does nothing, since no prompt has {{${name}}}${hint}`;
  });
}

/** Before anything is loaded. */
function checkConversation(id: string, { journal }: RunCommandOptions): void {
  checkConversationId(id);
  if (journal === false)
    throw new BatonError(
      "bad-options",
      "give either --conversation or --no-journal: a conversation needs its earlier runs",
    );
}

export function chooseModelSource(options: ModelOptions, terminal: Terminal): ModelSource {
  const { variables, workingDirectory } = terminal;
  const script = options.script === undefined ? undefined : resolve(workingDirectory, options.script);
  const { model } = options;
  const named = { ...(script !== undefined && { script }), ...(model !== undefined && { model }) };
  return {
    variables,
    workingDirectory,
    ...(script !== undefined && { script: readScript(script) }),
    ...(model !== undefined && { instead: parseModels(model) }),
    ...(Object.keys(named).length > 0 && { named }),
  };
}

const usageErrors: ReadonlySet<BatonErrorCode> = new Set([
  "bad-attachment",
  "attachment-too-large",
  "no-input",
  "unknown-code",
  "bad-model",
  "bad-option",
  "bad-options",
  "bad-session",
  "bad-script",
  "script-too-short",
]);

export function explain(error: BatonError, { json }: PlainViewOptions, terminal: Terminal): number {
  const { code, message } = error;
  const found = error instanceof ConfigurationError ? { diagnostics: error.diagnostics } : {};
  if (json) terminal.print(JSON.stringify({ error: { code, message, ...found } }, undefined, 2));
  if (!(error instanceof ConfigurationError)) {
    terminal.note(`error: ${error.message}`);
    return usageErrors.has(error.code) ? exitCodes.usage : exitCodes.failed;
  }
  const { diagnostics } = error;
  if (diagnostics.length === 0) terminal.note(`error: ${error.message}`);
  else terminal.note(`${formatDiagnostics(diagnostics, plainStyle)}\n\n${summarize(diagnostics, plainStyle)}`);
  if (diagnostics.length > 0 && error.hint !== undefined) terminal.note(error.hint);
  return exitCodes.invalid;
}
