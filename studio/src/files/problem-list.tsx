import type { CrewDiagnostic } from "../api/studio-api.ts";
import { findFix } from "./fix-text.ts";

/** What is wrong with a crew's files. Each problem leads to its line, and a near name can be put in place. */
export function ProblemList({
  diagnostics,
  onOpen,
  onFix,
  textOf,
}: {
  readonly diagnostics: readonly CrewDiagnostic[];
  readonly onOpen: (file: string, line: number | undefined) => void;
  readonly onFix?: (file: string, text: string) => void;
  readonly textOf?: (file: string) => string | undefined;
}) {
  return (
    <section className="panel" aria-label="Problems">
      <header>
        <h2>{diagnostics.length === 0 ? "No problems found" : `Problems (${diagnostics.length})`}</h2>
      </header>
      {diagnostics.map((diagnostic) => {
        const { severity, code, message, file = "", line, column } = diagnostic;
        const text = textOf?.(file);
        const fix = text === undefined ? undefined : findFix(text, diagnostic);
        return (
          <div key={`${file} ${line} ${column} ${code} ${message}`} className="problem">
            <button type="button" className="entry" onClick={() => onOpen(file, line)}>
              <span className="row">
                <span className={`badge ${severity === "error" ? "bad" : "warn"}`}>{severity}</span>
                <span className="mono cut">{code}</span>
              </span>
              <span className="muted mono">
                {file.split("/").at(-1)}
                {line !== undefined && `:${line}`}
              </span>
              <span className="said">{message}</span>
            </button>
            {fix !== undefined && text !== undefined && onFix !== undefined && (
              <button
                type="button"
                className="button"
                onClick={() => onFix(file, text.slice(0, fix.from) + fix.insert + text.slice(fix.to))}
              >
                Write '{fix.insert}'
              </button>
            )}
          </div>
        );
      })}
    </section>
  );
}
