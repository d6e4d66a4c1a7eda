import { type DiagnosticCode, describeSeverity, diagnosticCodes } from "../vocabulary/diagnostic.ts";
import { errorCodes } from "../vocabulary/error-codes.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { failureCodes } from "../vocabulary/failure-codes.ts";
import { nearestName } from "../vocabulary/nearest-name.ts";
import { wrap } from "./live/cells.ts";
import { explain as explainError } from "./run-command.ts";
import { countScreenColumns, exitCodes, type Terminal } from "./terminal.ts";

/** Where a code occurs, and what it means there. */
interface Explanation {
  readonly code: string;
  readonly kind: "error" | "diagnostic" | "failure";
  readonly text: string;
}

const kinds: Readonly<Record<Explanation["kind"], string>> = {
  error: "Errors of commands and of functions in code (BatonError)",
  diagnostic: "Problems in a crew's files, as baton check reports them",
  failure: "Failures inside a run (result.error, and events that end in .failed)",
};

function listExplanations(): Explanation[] {
  const explainAll = (kind: Explanation["kind"], codes: Readonly<Record<string, string>>) =>
    Object.entries(codes).map(([code, text]) => ({ code, kind, text }));
  return [
    ...explainAll("error", errorCodes),
    ...explainAll("diagnostic", diagnosticCodes),
    ...explainAll("failure", failureCodes),
  ];
}

/** `baton explain`: says what a code means and what to do about it; without a code, lists all codes. */
export function explain(code: string | undefined, options: { readonly json?: boolean }, terminal: Terminal): number {
  const all = listExplanations();
  const found = code === undefined ? all : all.filter((each) => each.code === normalize(code));
  if (code !== undefined && found.length === 0) return explainError(unknownCode(code, all), options, terminal);
  if (options.json) terminal.print(JSON.stringify(found, undefined, 2));
  else if (code === undefined) terminal.print(formatList(all, terminal).join("\n"));
  else terminal.print(found.map((each) => formatOne(each, terminal).join("\n")).join("\n\n"));
  return exitCodes.completed;
}

/** Diagnostics are printed as `[unknown-key]`, and HTTP statuses share one meaning. */
function normalize(code: string): string {
  return code.replace(/^\[(.*)\]$/, "$1").replace(/^status_\d+$/, "status");
}

function unknownCode(code: string, all: readonly Explanation[]): BatonError {
  const nearest = nearestName(
    code,
    all.map((each) => each.code),
  );
  const hint = nearest === undefined ? "'baton explain' lists all codes" : `did you mean '${nearest}'?`;
  return new BatonError("unknown-code", `there is no code '${code}'; ${hint}`);
}

function formatOne({ code, kind, text }: Explanation, terminal: Terminal): string[] {
  return [
    `${terminal.style("bold", code)}  ${terminal.style("dim", describeKind(code, kind))}`,
    ...wrap(text, Math.min(100, countScreenColumns(terminal)) - 2).map((line) => `  ${line}`),
  ];
}

function describeKind(code: string, kind: Explanation["kind"]): string {
  if (kind === "failure") return "failure inside a run";
  // Codes of diagnostics come from their table.
  return kind === "error" ? "BatonError" : `${describeSeverity(code as DiagnosticCode)} in a crew's files`;
}

function formatList(all: readonly Explanation[], terminal: Terminal): string[] {
  const columns = Math.min(100, countScreenColumns(terminal));
  return Object.entries(kinds).flatMap(([kind, title], index) => {
    const codes = all.filter((each) => each.kind === kind).map(({ code }) => code);
    const lines = wrap(codes.join("  "), columns - 2).map((line) => `  ${line}`);
    return [...(index === 0 ? [] : [""]), terminal.style("bold", title), ...lines];
  });
}
