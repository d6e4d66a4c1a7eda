import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { nearestName } from "../vocabulary/nearest-name.ts";
import { wrap } from "./live/cells.ts";
import { markdownLines } from "./show/markdown-lines.ts";
import { countScreenColumns, exitCodes, type Terminal } from "./terminal.ts";

// As many folders below the package's root in the sources as in the published package.
const docs = fileURLToPath(new URL("../../docs", import.meta.url));

/** `baton help`: a command's options, or a page of the documentation; without a topic, a list of both. */
export function help(
  topic: string | undefined,
  options: { readonly guide?: boolean; readonly json?: boolean },
  program: Command,
  terminal: Terminal,
): number {
  const command = program.commands.find((each) => each.name() === topic);
  const pages = listPages();
  const page = topic?.replace(/\.md$/, "").replace(/^docs\//, "");
  const isPage = page !== undefined && pages.includes(page);
  if (options.json && topic === undefined) {
    const commands = program.commands.map((each) => ({ name: each.name(), description: each.description() }));
    terminal.print(JSON.stringify({ commands, pages }, undefined, 2));
    return exitCodes.completed;
  }
  if (topic === undefined) {
    terminal.print(`${program.helpInformation()}\n${listTopics(pages, terminal)}`);
    return exitCodes.completed;
  }
  if (command !== undefined && !(isPage && options.guide)) {
    if (options.json) {
      terminal.print(JSON.stringify({ command: topic, text: command.helpInformation() }, undefined, 2));
      return exitCodes.completed;
    }
    command.outputHelp();
    if (isPage) terminal.print(`\nThe page of the documentation: baton help ${topic} --guide`);
    return exitCodes.completed;
  }
  if (isPage) {
    const text = readFileSync(join(docs, `${page}.md`), "utf8");
    const columns = Math.min(100, countScreenColumns(terminal));
    if (options.json) terminal.print(JSON.stringify({ page, text }, undefined, 2));
    else terminal.print(markdownLines(text, columns, terminal.style).join("\n"));
    return exitCodes.completed;
  }
  const near = nearestName(topic, [...program.commands.map((each) => each.name()), ...pages]);
  const hint = near === undefined ? "'baton help' lists all" : `did you mean '${near}'?`;
  terminal.note(`error: there is no command and no page '${topic}'; ${hint}`);
  return exitCodes.usage;
}

/** The pages by name, such as `signals` and `reference/crew`. */
function listPages(): string[] {
  return readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("decisions"))
    .map((file) => file.replace(/\.md$/, "").replaceAll("\\", "/"))
    .sort();
}

function listTopics(pages: readonly string[], terminal: Terminal): string {
  const columns = Math.min(100, countScreenColumns(terminal));
  const lines = wrap(pages.join("  "), columns - 2).map((line) => `  ${line}`);
  return [terminal.style("bold", "Pages of the documentation, each shown by 'baton help <page>':"), ...lines].join(
    "\n",
  );
}
