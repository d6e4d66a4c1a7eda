import { statSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";

/** A command with what it is for and an example, which its help ends with. */
export function addCommand(program: Command, name: string, about: string, example: string): Command {
  return program.command(name).description(about).addHelpText("after", `\nExample:\n  ${example}`);
}

export function rootOption(): Option {
  return new Option("--root <folder>", "the folder that no reference may leave").argParser((folder) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    throw new InvalidArgumentError(`There is no folder '${folder}'.`);
  });
}

/** Options of the form name=value, which may be given several times. */
export function collectPair(text: string, known: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const equals = text.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError("Write name=value.");
  return { ...known, [text.slice(0, equals)]: text.slice(equals + 1) };
}

export function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError("Write a whole number above 0.");
}
