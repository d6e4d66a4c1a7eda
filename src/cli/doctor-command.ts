import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { locateDefinition } from "../definition/load-definition.ts";
import { examineCrew } from "../doctor/examine-crew.ts";
import { examineDisk, examineMachine } from "../doctor/examine-machine.ts";
import { examineModels } from "../doctor/examine-models.ts";
import { examineServers } from "../doctor/examine-servers.ts";
import { examineStore } from "../doctor/examine-store.ts";
import { fine, note, type Observation } from "../doctor/observation.ts";
import { locateStore } from "../journal/locate-store.ts";
import { providers } from "../models/providers.ts";
import { wrap } from "./live/cells.ts";
import { findRoot, findStore } from "./open-store.ts";
import { countScreenColumns, exitCodes, type Terminal } from "./terminal.ts";

export interface DoctorOptions {
  readonly online?: boolean;
  readonly json?: boolean;
  readonly root?: string;
}

/** `baton doctor`: looks at everything that runs need, and says what to do where something is missing; 1 if a run cannot work. */
export async function doctor(path: string | undefined, options: DoctorOptions, terminal: Terminal): Promise<number> {
  const { variables } = terminal;
  const root = options.root ?? findRoot(path ?? ".", terminal);
  const findings = [
    ...examineMachine(variables, Date.now()),
    examineTerminal(terminal),
    ...(await examinePath(path, options, terminal)),
    ...(await examineRuns(root, terminal)),
  ];
  const isWell = findings.every(({ state }) => state !== "wrong");
  if (options.json) terminal.print(JSON.stringify({ ok: isWell, findings }, undefined, 2));
  else terminal.print(format(findings, terminal));
  return isWell ? exitCodes.completed : exitCodes.failed;
}

async function examinePath(
  path: string | undefined,
  { online: isOnline = false, root }: DoctorOptions,
  terminal: Terminal,
): Promise<Observation[]> {
  const { workingDirectory, variables } = terminal;
  const isHere = ["crew.yaml", "crew.yml"].some((file) => existsSync(join(workingDirectory, file)));
  if (path === undefined && !isHere)
    return [
      listKeys(variables),
      ...(isOnline
        ? [
            note(
              "model",
              "--online called no model, because there is no crew here",
              "Name one, as in 'baton doctor my-crew --online'.",
            ),
          ]
        : []),
    ];
  const at = path ?? ".";
  const definition = locateDefinition(at, {
    workingDirectory,
    environment: variables,
    ...(root !== undefined && { root }),
  });
  const { crew } = definition;
  const loaded = examineCrew(at, definition);
  if (crew === undefined || loaded.some(({ state }) => state === "wrong")) return loaded;
  return [...loaded, ...(await examineModels(crew, variables, isOnline)), ...(await examineServers(crew, variables))];
}

/** Names of keys, never their values. */
function listKeys(variables: Terminal["variables"]): Observation {
  const set = Object.values(providers).flatMap(({ keys }) => keys.filter((key) => (variables[key] ?? "") !== ""));
  if (set.length > 0) return fine("keys", `set: ${[...new Set(set)].join(", ")}`);
  return note(
    "keys",
    "no provider's key is set",
    "Crews run on Ollama, on scripts, or with a key; 'baton help models' lists them.",
  );
}

function examineTerminal({ screen, variables }: Terminal): Observation {
  if (screen === undefined) return fine("terminal", "output goes to a pipe or file: no colours, no live view");
  const size = `${screen.columns} × ${screen.rows}, ${screen.getColorDepth()} bits of colour`;
  const locale = variables["LC_ALL"] || variables["LC_CTYPE"] || variables["LANG"] || "";
  if (/utf-?8/i.test(locale) || process.platform !== "linux") return fine("terminal", size);
  return note(
    "terminal",
    `${size}; its language '${locale}' is not UTF-8`,
    "Lines may look broken: set LANG to one such as C.UTF-8.",
  );
}

async function examineRuns(root: string, terminal: Terminal): Promise<Observation[]> {
  const named = terminal.variables["BATON_STORE"] ?? "";
  if (/^[a-z]+:\/\//.test(named)) return examineStore("the database", () => findStore(named, terminal));
  const file = resolve(terminal.workingDirectory, locateStore(root, terminal.variables));
  const shown = relative(terminal.workingDirectory, file);
  const found = await examineStore(shown, () => findStore(file, terminal));
  return [...found, examineDisk(findExisting(dirname(file)))];
}

function findExisting(folder: string): string {
  return existsSync(folder) ? folder : findExisting(dirname(folder));
}

const marks = { fine: ["green", "✓"], note: ["yellow", "–"], wrong: ["red", "✗"] } as const;

function format(findings: readonly Observation[], terminal: Terminal): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const columns = Math.min(100, countScreenColumns(terminal)) - width - 5;
  const lines = findings.flatMap(({ about, state, text, remedy }) => {
    const [colour, mark] = marks[state];
    const told = [
      ...wrap(text, columns),
      ...(remedy === undefined ? [] : wrap(remedy, columns).map((line) => terminal.style("dim", line))),
    ];
    return told.map((line, index) =>
      index === 0
        ? `${terminal.style(colour, mark)} ${about.padEnd(width)}  ${line}`
        : `  ${" ".repeat(width)}  ${line}`,
    );
  });
  const bad = findings.filter(({ state }) => state === "wrong").length;
  const verdict =
    bad === 0
      ? "Everything that runs need is there."
      : `${bad === 1 ? "1 thing has" : `${bad} things have`} to be put right.`;
  return `${lines.join("\n")}\n\n${terminal.style("bold", verdict)}`;
}
