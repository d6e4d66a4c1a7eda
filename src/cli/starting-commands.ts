import { type Command, Option } from "commander";
import type { ProviderName } from "../init/choose-provider.ts";
import type { CrewKind } from "../init/crew-templates.ts";
import { addCommand, createRootOption } from "./add-command.ts";
import type { Terminal } from "./terminal.ts";

// Written down once more, so that no other command loads the lists.
const kinds = { triage: 1, pipeline: 1, "review-board": 1, team: 1, crews: 1 } satisfies Record<CrewKind, 1>;
const providers = {
  anthropic: 1,
  openai: 1,
  google: 1,
  openrouter: 1,
  groq: 1,
  mistral: 1,
  deepseek: 1,
  xai: 1,
  ollama: 1,
} satisfies Record<ProviderName, 1>;

/** Commands for a new crew. */
export function addStartingCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  addCommand(program, "init [folder]", "write a new crew that runs at once, offline", "baton init my-crew")
    .addOption(new Option("--kind <kind>", "what the crew is for").choices(Object.keys(kinds)))
    .addOption(new Option("--provider <provider>", "whose models it uses").choices(Object.keys(providers)))
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

  const aboutDoctor = "look at everything that runs need, and say what to do where something is missing";
  addCommand(program, "doctor [path]", aboutDoctor, "baton doctor my-crew --online")
    .option("--online", "also call each model once, with a few tokens")
    .option("--json", "print the findings as JSON")
    .addOption(createRootOption())
    .action(async (path, options) => exit(await (await import("./doctor-command.ts")).doctor(path, options, terminal)));

  addCommand(
    program,
    "completion <shell>",
    "print a script that completes commands in a shell",
    "source <(baton completion bash)",
  )
    .action(async (shell) => {
      const { renderCompletion } = await import("./completion-command.ts");
      terminal.print(renderCompletion(shell, program));
    })
    .registeredArguments[0]?.choices(["bash", "zsh", "fish"]);

  addCommand(
    program,
    "help [topic]",
    "show a command's options, or a page of the documentation",
    "baton help signals --guide",
  )
    .option("--guide", "show the page where a command has the same name")
    .option("--json", "print it as JSON")
    .action(async (topic, options) =>
      exit((await import("./help-command.ts")).help(topic, options, program, terminal)),
    );
}
