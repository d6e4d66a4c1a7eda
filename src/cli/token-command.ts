import { exitCodes, type Terminal } from "./terminal.ts";

export interface TokenOptions {
  readonly scopes: readonly string[];
  readonly crews?: readonly string[];
  readonly expires?: string;
  readonly json?: boolean;
}

/** `baton token new`: makes a token, and prints it once with the line for the tokens file. */
export async function createToken(name: string, options: TokenOptions, terminal: Terminal): Promise<number> {
  const { createSecret, digestOf } = await import("../server/token.ts");
  const token = createSecret();
  const sha256 = digestOf(token).toString("hex");
  const { scopes, crews, expires } = options;
  const parts = [
    `name: ${JSON.stringify(name)}`,
    `sha256: "${sha256}"`,
    ...(expires === undefined ? [] : [`expires: "${expires}"`]),
    `scopes: [${scopes.join(", ")}]`,
    ...(crews === undefined ? [] : [`crews: ${JSON.stringify(crews)}`]),
  ];
  const line = `- { ${parts.join(", ")} }`;
  if (options.json) terminal.print(JSON.stringify({ token, line }));
  else {
    terminal.print(line);
    terminal.note(`The token, which is not shown again:\n${token}\nAppend the line to the file that --tokens names.`);
  }
  return exitCodes.completed;
}
