import type { Command } from "commander";

/** Variables that stand for `--store` and `--schema`, which are more convenient to type. */
export type StoreChoice = Readonly<Record<string, string>>;

const storeless: ReadonlySet<string> = new Set(["check"]);

/** Every command that knows a project knows the store of its runs, too. */
export function addStoreOptions(program: Command): void {
  for (const command of program.commands) {
    const hasRoot = command.options.some(({ long }) => long === "--root");
    if (!hasRoot || storeless.has(command.name())) continue;
    command
      .option(
        "--store <store>",
        "where runs are stored: a folder, or postgres://… (default: $BATON_STORE, or the project's .baton)",
      )
      .option("--schema <name>", "the schema of a store in PostgreSQL (default: baton)");
  }
}

export function readStoreChoice(command: Command): StoreChoice {
  const { store, schema } = command.opts();
  return { ...(store !== undefined && { BATON_STORE: store }), ...(schema !== undefined && { BATON_SCHEMA: schema }) };
}
