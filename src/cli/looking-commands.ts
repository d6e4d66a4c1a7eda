import { type Command, Option } from "commander";
import { importKinds } from "../import/crew-plan.ts";
import { addCommand, createRootOption } from "./add-command.ts";
import { addPlanCommand } from "./add-plan-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands that look at a crew and run nothing. */
export function addLookingCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const format = (about: string, ...choices: readonly string[]) =>
    new Option("--format <format>", about).choices([...choices]).default(choices[0]);

  const aboutCheck = "find what is wrong with a crew before it runs";
  addCommand(program, "check <path>", aboutCheck, "baton check examples/quiz")
    .option("--strict", "treat the crew as strict: unknown keys and unregistered signals are errors")
    .option("--stub-tools", "accept undeclared tools, as 'baton run --stub-tools' does")
    .option("--allow <tools>", "accept tools as 'baton run --allow' does")
    .option("--quiet", "print nothing about a crew without problems")
    .addOption(format("how to print the problems", "text", "json", "github"))
    .option("--json", "the same as --format json")
    .addOption(createRootOption())
    .action(async (path, options) => exit((await import("./check-command.ts")).check(path, options, terminal)));

  addPlanCommand(program, terminal, exit);

  const aboutGraph =
    "draw which agents can follow which; with --run, also the path of a run; with --coverage, what scenarios show";
  const graphing = addCommand(program, "graph [path]", aboutGraph, "baton graph examples/quiz --format mermaid")
    .addOption(format("the format of the drawing", "ascii", "mermaid", "dot", "svg"))
    .option("--run <run>", "draw the crew of this run: its id, the beginning of it, or 'last'")
    .addOption(new Option("--plan", "add the worst case of 'baton plan' to the boxes and arrows").conflicts("run"))
    .option("--model <names>", "with --plan: models in place of the crew's own, such as openai/gpt-5")
    .addOption(createCoverageOption())
    .option("--json", "print the boxes and arrows as JSON")
    .addOption(createRootOption())
    .action(async (path, { run, plan, coverage, ...options }) => {
      if (path === undefined && run === undefined) graphing.error("error: give a path, or --run <run>");
      if (options.model !== undefined && plan !== true) graphing.error("error: --model is only used with --plan");
      const { graph, graphCoverage, graphPlan, graphRun } = await import("./graph-command.ts");
      if (plan === true) return exit(await graphPlan(path, options, terminal));
      if (coverage !== undefined) return exit(await graphCoverage(path, coverage, options, terminal));
      if (run === undefined) return exit(graph(path, options, terminal));
      const [{ withStore }, { findRoot }] = await Promise.all([import("./with-run.ts"), import("./open-store.ts")]);
      const root = options.root ?? findRoot(path ?? ".", terminal);
      exit(await withStore({ ...options, root }, terminal, (store) => graphRun(run, options, terminal, store)));
    });

  const aboutSignals = "report a crew's signals: what they mean, who emits them, where they lead";
  addCommand(program, "signals <path>", aboutSignals, "baton signals examples/quiz")
    .option("--json", "print the report as JSON")
    .addOption(createRootOption())
    .action(async (path, options) =>
      exit(await (await import("./signals-command.ts")).signals(path, options, terminal)),
    );

  const aboutImport =
    "write a crew out of the files of another system: CrewAI, Docker Agent, Claude Code, go-agentic, …";
  addCommand(program, "import <files>", aboutImport, "baton import crewai-project/config")
    .addOption(new Option("--from <kind>", "import only files of this kind").choices([...importKinds]))
    .option("--to <folder>", "the folder for the crew (default: beside the files, with -crew at the end)")
    .option("--dry-run", "write nothing, and say what would be written")
    .option("--json", "print the crews and what became of every line as JSON")
    .action(async (files, options) =>
      exit((await import("./import-command.ts")).importFiles(files, options, terminal)),
    );

  const aboutExplain = "explain a code: what is wrong, and what to do about it; without one, list all codes";
  addCommand(program, "explain [code]", aboutExplain, "baton explain run-active")
    .option("--json", "print the explanations as JSON")
    .action(async (code, options) => exit((await import("./explain-command.ts")).explain(code, options, terminal)));

  const aboutSchema = "print the JSON Schema of a crew, an agent or a scenario file, for editors";
  addCommand(program, "schema <kind>", aboutSchema, "baton schema crew > crew.schema.json")
    .option("--json", "no effect: the output is always JSON")
    .action(async (kind) => exit((await import("./schema-command.ts")).schema(kind, terminal)));
}

function createCoverageOption(): Option {
  const about = "draw what these scenarios show of the crew, and what none does";
  return new Option("--coverage <paths...>", about).conflicts(["run", "plan"]);
}
