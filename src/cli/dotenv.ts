import { type Command, InvalidArgumentError, Option } from "commander";

/** Every command that reads a crew can read variables for it from a file. Node takes `--env-file` for itself, wherever it is. */
export function addDotenvOption(program: Command): void {
  for (const command of program.commands) {
    if (!command.options.some(({ long }) => long === "--root")) continue;
    command.addOption(
      new Option("--dotenv <file>", "read environment variables from a file; those that are set stay").argParser(
        readDotenv,
      ),
    );
  }
}

/** Reads the file at once, so that all that is read of the environment afterwards has its variables. */
function readDotenv(file: string): string {
  try {
    process.loadEnvFile(file);
    return file;
  } catch (error) {
    const why =
      error instanceof Error && "code" in error && error.code === "ENOENT" ? "There is no such file." : String(error);
    throw new InvalidArgumentError(why);
  }
}
