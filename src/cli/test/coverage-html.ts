import type { CoveredItem, CrewCoverage } from "../../scenario/coverage.ts";
import { escapeXml } from "../xml-text.ts";

const style = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff; }
h2 { margin: 2.5rem 0 .3rem; }
.bar { height: .5rem; background: #f3c8c4; border-radius: .25rem; overflow: hidden; }
.bar div { height: 100%; background: #2f7d4f; }
table { border-collapse: collapse; width: 100%; margin-top: .8rem; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #e3e3e3; vertical-align: top; }
td:first-child { white-space: nowrap; }
.missing td:first-child { color: #b3261e; }
.unfilled td:first-child { color: #8a6100; }
.covered td:first-child { color: #2f7d4f; }
code { font: 13px ui-monospace, monospace; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #181818; }
  th, td { border-color: #383838; }
  .missing td:first-child { color: #ff8a80; } .unfilled td:first-child { color: #f0c674; } .covered td:first-child { color: #7fd39b; }
}`;

/** Coverage as one page that fetches nothing. */
export function formatHtml(coverage: readonly CrewCoverage[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Coverage of crews</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${style}\n</style></head><body>`,
    "<h1>Coverage of crews</h1>",
    ...coverage.map(formatCrew),
    "</body></html>",
  ].join("\n");
}

function formatCrew({ crew, percent, items }: CrewCoverage): string {
  const covered = items.filter((item) => item.covered).length;
  const rows = [
    ...items.filter((item) => !item.covered && !item.unfilled),
    ...items.filter((item) => item.unfilled),
    ...items.filter((item) => item.covered),
  ];
  return [
    `<h2>${escapeXml(crew)}: ${percent} %</h2>`,
    `<div class="bar" role="img" aria-label="${percent} %"><div style="width: ${percent}%"></div></div>`,
    `<p>${covered} of ${items.length} covered</p>`,
    "<table><thead><tr><th></th><th>what</th><th>where</th><th>shown by</th></tr></thead><tbody>",
    ...rows.map(formatRow),
    "</tbody></table>",
  ].join("\n");
}

function formatRow(item: CoveredItem): string {
  const state = item.covered ? "covered" : item.unfilled ? "unfilled" : "missing";
  const by = item.by.map((file) => `<code>${escapeXml(file)}</code>`).join("<br>");
  const where = `<code>${escapeXml(`${item.file}:${item.line}`)}</code>`;
  return `<tr class="${state}"><td>${state}</td><td>${escapeXml(item.name)}</td><td>${where}</td><td>${by}</td></tr>`;
}
