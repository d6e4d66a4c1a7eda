import { suggestionText } from "../definition/problem-log.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import type { Terminal } from "./terminal.ts";

type StyleText = Terminal["style"];

/** Diagnostics for people: place, code and message on a line, the code in question below it. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], style: StyleText): string {
  return diagnostics.map((diagnostic) => formatOne(diagnostic, style)).join("\n\n");
}

/** `2 errors, 1 warning in 3 files`. */
export function summarize(diagnostics: readonly Diagnostic[], style: StyleText): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const files = new Set(diagnostics.map(({ file }) => file)).size;
  const counts = [
    ...(errors === 0 ? [] : [style("red", formatAmount(errors, "error"))]),
    ...(warnings === 0 ? [] : [style("yellow", formatAmount(warnings, "warning"))]),
  ];
  return `${counts.join(", ")} in ${formatAmount(files, "file")}`;
}

function formatOne(diagnostic: Diagnostic, style: StyleText): string {
  const { file, line, column, severity, code, message, frame, suggestion } = diagnostic;
  const colour = severity === "error" ? "red" : "yellow";
  // The frame shows the suggestion where it applies; saying it twice would be noise.
  const isShown = suggestion !== undefined && frame !== "";
  const said = isShown ? message.slice(0, -`; ${suggestionText(suggestion)}`.length) : message;
  const head = `${style("bold", `${file}:${line}:${column}`)}  ${style(colour, severity)}  ${style("dim", code)}  ${said}`;
  return frame === "" ? head : `${head}\n${formatFrame(frame, colour, style)}`;
}

function formatFrame(frame: string, colour: "red" | "yellow", style: StyleText): string {
  const [code = "", marks = ""] = frame.split("\n");
  const bar = marks.indexOf("|") + 1;
  return `${style("dim", code.slice(0, bar))}${code.slice(bar)}\n${style("dim", marks.slice(0, bar))}${style(colour, marks.slice(bar))}`;
}
