import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "../../diagnosis/diagnose.ts";
import { buildGraph } from "../../flow/crew-graph.ts";
import { drawSvg } from "../../flow/draw-svg.ts";
import { addRunToGraph } from "../../flow/run-graph.ts";
import type { Redactor } from "../../redaction/redactor.ts";
import type { Crew } from "../../vocabulary/crew.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { findStudioFolder } from "./studio-files.ts";

/** One HTML file that shows a run without a server. What is secret is redacted once more, with the secrets that are known here. */
export function exportRun(events: readonly BatonEvent[], crew: Crew | undefined, redactor: Redactor): string {
  const folder = join(findStudioFolder(), "export");
  const script = readFileSync(join(folder, "export.js"), "utf8").replaceAll("</script", "<\\/script");
  const sheet = readFileSync(join(folder, "export.css"), "utf8").replaceAll("</style", "<\\/style");
  const [started] = events;
  const name = started?.type === "run.started" ? started.data.crew : "";
  const run = {
    runId: started?.runId ?? "",
    crew: name,
    events: redactor.redactValue(events),
    findings: diagnose(events, crew).findings.map(({ code, title, advice, evidence }) => ({
      ...{ code, title, advice, events: evidence.map(({ seq }) => seq) },
    })),
    ...(crew !== undefined && { drawing: toImage(redactor.redact(drawSvg(addRunToGraph(buildGraph(crew), events)))) }),
  };
  // Within a script element, only `<` could end it.
  const json = JSON.stringify(run).replaceAll("<", "\\u003c");
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${writePolicy(script)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="generator" content="Baton studio">',
    `<title>${escapeHtml(name)}, a run of Baton</title><style>${sheet}</style></head>`,
    `<body><div id="studio"></div><script type="application/json" id="run">${json}</script>`,
    `<script>${script}</script></body></html>\n`,
  ].join("\n");
}

/** Only this very script runs, and nothing is loaded from anywhere. */
function writePolicy(script: string): string {
  const hash = createHash("sha256").update(script).digest("base64");
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
}

function toImage(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
