/** Node's SQLite. Node 22 says on loading it that it is experimental: that one warning, which no user can act on, is left out. */
export function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  const emitOthers = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === "ExperimentalWarning" && String(warning).startsWith("SQLite ")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = emitOthers as typeof emitWarning;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
