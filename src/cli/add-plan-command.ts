import { type Command, Option } from "commander";
import { addCommand, collectText, createAmountOption, createRootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** `baton plan`. */
export function addPlanCommand(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const aboutPlan = "show what a run can do and cost in the worst case and in a likely case, before anything is spent";
  const example = 'baton plan examples/quiz "Start the exam" --model openai/gpt-4.1-mini --max-cost 2';
  addCommand(program, "plan <path> [input...]", aboutPlan, example)
    .option("--model <names>", "models in place of the crew's own, such as openai/gpt-5, separated by commas")
    .option("--file <path>", "a file that comes with the input; repeatable", collectText)
    .addOption(
      new Option("--format <format>", "how to print the plan")
        .choices(["text", "json", "ascii", "mermaid", "dot", "svg"])
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .addOption(createAmountOption("--max-cost <usd>", "exit with 5 if a run may cost more dollars than this"))
    .addOption(createAmountOption("--max-calls <number>", "exit with 5 if a run may make more model calls than this"))
    .addOption(
      new Option(
        "--assume <figures>",
        "figures for the likely case if no run is recorded: output=400,turns=2,path=shortest",
      ),
    )
    .addOption(createRootOption())
    .action(async (path, words, options) => {
      const { plan, readAssumption } = await import("./plan-command.ts");
      const assume = options.assume === undefined ? undefined : readAssumption(options.assume);
      if (typeof assume === "string") program.error(`error: --assume: ${assume}`);
      exit(await plan(path, words, { ...options, assume }, terminal));
    });
}
