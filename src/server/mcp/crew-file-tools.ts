import { existsSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { z } from "zod";
import { loadDefinition } from "../../definition/load-definition.ts";
import { isInside } from "../../definition/read-text.ts";
import { buildGraph } from "../../flow/crew-graph.ts";
import { drawAscii } from "../../flow/draw-ascii.ts";
import { drawDot } from "../../flow/draw-dot.ts";
import { drawMermaid } from "../../flow/draw-mermaid.ts";
import { planToJson } from "../../flow/plan/plan.ts";
import { planCrew } from "../../library/plan-crew.ts";
import { runScenarios } from "../../scenario/run-scenarios.ts";
import type { Crew } from "../../vocabulary/crew.ts";
import type { Diagnostic } from "../../vocabulary/diagnostic.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { anyObject } from "../schemas.ts";
import { type AddTool, tellData, tellText } from "./add-tool.ts";
import type { DevPlace } from "./dev-place.ts";
import type { ToolAnswer } from "./follow-call.ts";

const path = z
  .string()
  .min(1)
  .max(4096)
  .meta({ description: "A folder with a crew.yaml, that file, an agent file, or a folder of agent files." });
const readOnly = { readOnlyHint: true };

const drawings = { ascii: drawAscii, mermaid: drawMermaid, dot: drawDot } as const;

/** Tools about the files of crews. None of them calls a model. */
export function addCrewFileTools(add: AddTool, place: DevPlace): void {
  const { variables, host } = place;
  add(
    "check_crew",
    {
      title: "Check a crew",
      description:
        "Finds every problem in a crew's files, each with its place and what to do. Call it after every change.",
      input: z.strictObject({ path, strict: z.boolean().optional() }),
      output: z.looseObject({ valid: z.boolean(), diagnostics: z.array(anyObject) }),
      annotations: readOnly,
    },
    ({ path: at, strict }) => tellDiagnostics(load(at, place, strict === true).diagnostics),
  );
  add(
    "graph_crew",
    {
      title: "Draw a crew",
      description: "Draws which agent can follow which.",
      input: z.strictObject({ path, format: z.enum(["mermaid", "ascii", "dot"]).default("mermaid") }),
      annotations: readOnly,
    },
    ({ path: at, format }) => tellText(drawings[format](buildGraph(loadValid(at, place)))),
  );
  add(
    "plan_crew",
    {
      title: "Plan a crew",
      description:
        "Says what a run of a crew can do and cost at worst, and what it is likely to, before anything is spent.",
      input: z.strictObject({ path, input: z.string().max(10_000).optional(), model: z.string().max(1000).optional() }),
      output: anyObject,
      annotations: readOnly,
    },
    async ({ path: at, input, model }) => {
      const given = model === undefined ? {} : { model };
      const plan = await planCrew(loadValid(at, place), input, given, { store: host.store, variables });
      return tellData(planToJson(plan));
    },
  );
  addTestTool(add, place);
}

function addTestTool(add: AddTool, place: DevPlace): void {
  let played = 0;
  add(
    "test_crew",
    {
      title: "Test a crew",
      description:
        "Plays the scenarios (*.scenario.yaml) at a path offline. With 'coverage', also lists what of the crew no scenario shows.",
      input: z.strictObject({
        path: z.string().min(1).max(4096).meta({ description: "A scenario file, or a folder with scenarios." }),
        filter: z
          .string()
          .max(1000)
          .optional()
          .meta({ description: "Words that a scenario's name or file must have." }),
        coverage: z.boolean().optional(),
      }),
      output: z.looseObject({ passed: z.int(), failed: z.int(), scenarios: z.array(anyObject) }),
      annotations: { readOnlyHint: false, idempotentHint: true },
    },
    async ({ path: at, filter, coverage = false }) => {
      const { workingDirectory } = place.crews;
      // Functions of agents may have changed since they were imported.
      played++;
      const results = await runScenarios([locate(at, place)], {
        ...{ workingDirectory, coverage, moduleVersion: played },
        ...(filter !== undefined && { filter }),
      });
      const failures = results.scenarios.filter(({ problems }) => problems.length > 0);
      const told = failures.map(({ name, file, problems }) => `✗ ${name} (${file})\n  ${problems.join("\n  ")}`);
      const missing = (results.coverage ?? []).flatMap(({ items, crew }) =>
        items.filter(({ covered }) => !covered).map(({ kind, name }) => `not shown: ${crew}: ${kind} ${name}`),
      );
      const sum = `${results.passed} passed, ${results.failed} failed`;
      return tellData(results, [...told, ...missing, sum].join("\n"));
    },
  );
}

/** The place of a path, which the working directory must hold: a model must not read files that nobody showed it. */
function locate(at: string, { crews: { workingDirectory } }: DevPlace): string {
  const full = resolve(workingDirectory, at);
  const real = existsSync(full) ? realpathSync(full) : full;
  if (isInside(real, realpathSync(workingDirectory))) return relative(workingDirectory, full) || ".";
  throw new BatonError("bad-option", `'${at}' is not inside the folder that this server was started in`);
}

function load(at: string, place: DevPlace, isStrict = false) {
  const { crews, variables } = place;
  return loadDefinition(locate(at, place), {
    workingDirectory: crews.workingDirectory,
    environment: variables,
    ...(isStrict && { strict: true }),
    ...(crews.root !== undefined && { root: crews.root }),
  });
}

function loadValid(at: string, place: DevPlace): Crew {
  const { crew, diagnostics } = load(at, place);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (crew !== undefined && errors.length === 0) return crew;
  throw new BatonError("bad-input", `the crew has errors:\n${errors.map(formatDiagnostic).join("\n")}`);
}

function tellDiagnostics(diagnostics: readonly Diagnostic[]): ToolAnswer {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const verdict =
    diagnostics.length === 0
      ? "No problems found."
      : `${formatAmount(errors, "error")}, ${formatAmount(diagnostics.length - errors, "warning")}`;
  const text = [...diagnostics.map(formatDiagnostic), verdict].join("\n\n");
  return tellData({ valid: errors === 0, diagnostics }, text);
}

function formatDiagnostic({ severity, code, message, file, line, column, frame }: Diagnostic): string {
  return `${file}:${line}:${column} ${severity} ${code} ${message}${frame === "" ? "" : `\n${frame}`}`;
}
