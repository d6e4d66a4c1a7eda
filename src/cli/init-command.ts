import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { loadDefinition } from "../definition/load-definition.ts";
import { listProviderChoices, type ProviderChoice } from "../init/choose-provider.ts";
import { type CrewKind, crewKinds, type NewFile } from "../init/crew-templates.ts";
import { planProject } from "../init/plan-project.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { askChoices, type Question } from "./ask-choice.ts";
import { findCallName } from "./call-name.ts";
import { formatDiagnostics } from "./format-diagnostics.ts";
import { explain } from "./run-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface InitOptions {
  readonly kind?: CrewKind;
  readonly provider?: string;
  readonly tools?: "typescript" | "none";
  readonly yes?: boolean;
  readonly json?: boolean;
}

interface Answers {
  readonly kind: CrewKind;
  readonly provider: ProviderChoice;
  readonly hasTools: boolean;
}

/** `baton init`: writes a new crew that runs at once. Files that are there stay as they are. */
export async function init(folder: string | undefined, options: InitOptions, terminal: Terminal): Promise<number> {
  try {
    const target = resolve(terminal.workingDirectory, folder ?? ".");
    refuseOccupied(target, terminal);
    const answers = await chooseAnswers(options, terminal);
    if (answers === undefined) {
      terminal.note("Nothing was written.");
      return exitCodes.cancelled;
    }
    const { kind, provider, hasTools } = answers;
    const name = nameCrew(target);
    const { model, key } = provider;
    const files = planProject({ kind, name, model, hasTools, folder: target, key });
    refuseExisting(files, terminal);
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      // "wx" fails where somebody was quicker.
      writeFileSync(path, text, { flag: "wx" });
    }
    return report(target, files, answers, options, terminal);
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  }
}

/** A crew's name out of its folder's, in letters that a package's name may have, too. */
function nameCrew(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name === "" ? "crew" : name;
}

function refuseOccupied(target: string, terminal: Terminal): void {
  if (!["crew.yaml", "crew.yml"].some((file) => existsSync(join(target, file)))) return;
  const shown = relative(terminal.workingDirectory, target) || "this folder";
  throw new BatonError("file-exists", `${shown} has a crew already: name another folder, as in baton init my-crew`);
}

function refuseExisting(files: readonly NewFile[], terminal: Terminal): void {
  const there = files.filter(({ path }) => existsSync(path));
  if (there.length === 0) return;
  const list = there.map(({ path }) => relative(terminal.workingDirectory, path)).join(", ");
  const verb = there.length === 1 ? "exists" : "exist";
  throw new BatonError(
    "file-exists",
    `${list} ${verb} already, and nothing was written: name another folder, as in baton init my-crew`,
  );
}

async function chooseAnswers(options: InitOptions, terminal: Terminal): Promise<Answers | undefined> {
  const providers = listProviderChoices(terminal.variables);
  const asked: readonly (readonly [keyof InitOptions, Question])[] = [
    ["kind", { text: "What is the crew for?", choices: listKinds() }],
    ["provider", { text: "Which provider has its models?", choices: providers.map(describeProvider) }],
    ["tools", { text: "Should it have a tool in TypeScript?", choices: toolChoices }],
  ];
  const open = asked.filter(([option]) => options[option] === undefined);
  const questions = open.map(([, question]) => question);
  if (open.length > 0 && options.yes !== true && !terminal.isInteractive)
    throw new BatonError(
      "bad-options",
      `init asks for ${open.map(([option]) => `--${option}`).join(", ")}, and this is no terminal: give these options, or --yes for the defaults`,
    );
  const defaults = questions.map(({ choices }) => choices[0]?.name ?? "");
  const given = options.yes === true ? defaults : await askChoices(questions, terminal);
  if (given === undefined) return undefined;
  const answers = new Map(open.map(([option], index) => [option, given[index]]));
  const provider = options.provider ?? answers.get("provider");
  const choice = providers.find((each) => each.provider === provider);
  // Every answer is one of the choices, and so is every option.
  if (choice === undefined) throw new BatonError("bad-options", `there is no provider '${provider}'`);
  const kind = options.kind ?? (answers.get("kind") as CrewKind);
  return { kind, provider: choice, hasTools: (options.tools ?? answers.get("tools")) === "typescript" };
}

function listKinds(): Question["choices"] {
  return Object.entries(crewKinds).map(([name, { about }]) => ({ name, about }));
}

const toolChoices: Question["choices"] = [
  { name: "none", about: "only prompts and YAML" },
  { name: "typescript", about: "with an example in tools.ts" },
];

function describeProvider({ provider, model, key, isReady }: ProviderChoice): Question["choices"][number] {
  const about = key === undefined ? "no key needed" : isReady ? `${key} is set` : `needs ${key}`;
  return { name: provider, about: `${model}, ${about}` };
}

function report(
  target: string,
  files: readonly NewFile[],
  { kind, provider }: Answers,
  options: InitOptions,
  terminal: Terminal,
): number {
  const { workingDirectory, variables: environment } = terminal;
  const shown = relative(workingDirectory, target) || ".";
  const { diagnostics } = loadDefinition(target, { workingDirectory, environment, strict: true });
  const written = files.map(({ path }) => relative(workingDirectory, path));
  const baton = findCallName(terminal);
  const next = [
    `${baton} run ${quote(shown)} ${JSON.stringify(crewKinds[kind].input)} --script ${quote(join(shown, "demo.script.yaml"))}`,
    `${baton} test ${quote(shown)}`,
    `${baton} graph ${quote(shown)}`,
  ];
  if (options.json) {
    terminal.print(JSON.stringify({ folder: shown, kind, model: provider.model, files: written, next }, undefined, 2));
    return exitCodes.completed;
  }
  terminal.print(`Wrote ${formatAmount(files.length, "file")}:\n${written.map((file) => `  ${file}`).join("\n")}\n\n`);
  if (diagnostics.length > 0) terminal.print(`${formatDiagnostics(diagnostics, terminal.style)}\n\n`);
  else terminal.print(`${terminal.style("green", "✓")} passes baton check --strict\n\n`);
  const title = terminal.style("bold", "Try next, offline and free:");
  terminal.print(`${title}\n${next.map((line) => `  ${line}`).join("\n")}`);
  terminal.print(`\n${describeKey(provider, shown, `${baton} run ${quote(shown)} "…"`)}`);
  return exitCodes.completed;
}

function describeKey({ model, key, isReady }: ProviderChoice, folder: string, command: string): string {
  if (key === undefined || isReady) return `On ${model}: ${command}`;
  const file = quote(join(folder, ".env"));
  return `On ${model}: put ${key} into ${file} (see .env.example), then ${command} --dotenv ${file}`;
}

/** A path as a shell takes it. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : JSON.stringify(path);
}
