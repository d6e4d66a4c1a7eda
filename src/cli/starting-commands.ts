import { type Command, Option } from "commander";
import { providerNames } from "../init/choose-provider.ts";
import { addCommand } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

/** Commands for a new crew. */
export function addStartingCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const kinds = ["triage", "pipeline", "review-board", "team", "crews"];
  addCommand(program, "init [folder]", "write a new crew that runs at once, offline", "baton init my-crew")
    .addOption(new Option("--kind <kind>", "what the crew is for").choices(kinds))
    .addOption(new Option("--provider <provider>", "whose models it uses").choices(providerNames))
    .addOption(new Option("--tools <tools>", "whether it has a tool in TypeScript").choices(["typescript", "none"]))
    .option("--yes", "take the defaults instead of asking")
    .option("--json", "print what was written as JSON")
    .action(async (folder, options) => exit(await (await import("./init-command.ts")).init(folder, options, terminal)));

  const aboutNew = "add an agent or a scenario to a crew";
  addCommand(program, "new <part> <name>", aboutNew, "baton new agent translator")
    .option("--crew <path>", "the crew's folder, or its crew.yaml", ".")
    .option("--description <text>", "for an agent: what it is for")
    .option("--json", "print what was written as JSON")
    .action(async (part, name, options) =>
      exit(await (await import("./new-command.ts")).addPart(part, name, options, terminal)),
    )
    .registeredArguments[0]?.choices(["agent", "scenario"]);
}
