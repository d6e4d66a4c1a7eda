import { wrap } from "../live/cells.ts";
import type { Terminal } from "../terminal.ts";

type Kind = "fence" | "table" | "heading" | "item" | "blank" | "text";

interface Block {
  readonly kind: Kind | "code";
  readonly lines: string[];
}

/** A page of the documentation as a terminal shows it. It knows the Markdown that these pages use. */
export function markdownLines(text: string, columns: number, style: Terminal["style"]): string[] {
  const blocks = splitBlocks(text.replace(/<!--[\s\S]*?-->\n?/g, "").split("\n"));
  return blocks.flatMap(({ kind, lines }): string[] => {
    switch (kind) {
      case "code":
        return lines.map((line) => style("cyan", `    ${line}`.trimEnd()));
      case "table":
        return tableLines(lines.map(splitRow), columns, style);
      case "heading":
        return lines.map((line) => style("bold", plain(line.replace(/^#+ /, ""))));
      case "fence":
        return [];
      case "blank":
        return [""];
      default:
        return wrapText(lines.map((line, index) => (index === 0 ? line : line.trim())).join(" "), columns, style);
    }
  });
}

function splitBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let isCode = false;
  for (const line of lines) {
    const found = findKind(line);
    if (found === "fence") isCode = !isCode;
    const kind = isCode && found !== "fence" ? "code" : found;
    const last = blocks.at(-1);
    const continues =
      kind === last?.kind ? kind !== "item" && kind !== "fence" : kind === "text" && last?.kind === "item";
    if (continues) last?.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  return blocks;
}

function findKind(line: string): Kind {
  if (/^\s*```/.test(line)) return "fence";
  if (line.startsWith("|")) return "table";
  if (/^#+ /.test(line)) return "heading";
  if (/^\s*(?:[-*]|\d+\.) /.test(line)) return "item";
  return line.trim() === "" ? "blank" : "text";
}

function splitRow(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Wide cells make no table on a terminal: each row is its first cell, and below it what the others say. */
function tableLines([head = [], , ...rows]: readonly string[][], columns: number, style: Terminal["style"]): string[] {
  return rows.flatMap(([first = "", ...rest]) => [
    `  ${highlight(first, style)}`,
    ...rest.flatMap((cell, index) => {
      const title = rest.length === 1 || cell === "" ? "" : `${plain(head[index + 1] ?? "")}: `;
      return cell === "" ? [] : wrapText(title + cell, columns - 6, style).map((line) => `      ${line}`);
    }),
  ]);
}

function wrapText(text: string, columns: number, style: Terminal["style"]): string[] {
  const [, indent = "", mark = "", rest = text] = /^(\s*)((?:[-*]|\d+\.) )?([\s\S]*)$/.exec(text) ?? [];
  const hang = " ".repeat(mark.length);
  // Marks are taken out first, for they take no room. Code keeps its colour where it fits on one line.
  return wrap(plain(rest, "`"), columns - indent.length - mark.length).map(
    (line, index) => indent + (index === 0 ? mark : hang) + highlight(line, style),
  );
}

function highlight(text: string, style: Terminal["style"]): string {
  return plain(text, "`").replace(/`([^`]+)`/g, (marked, code: string) => {
    const shown = style("cyan", code);
    // Without colours the marks stay.
    return shown === code ? marked : shown;
  });
}

/** The text without the marks of Markdown; those of code may stay. */
function plain(text: string, kept = ""): string {
  const bare = text
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, words: string, target: string) => {
      const page = /^(?:\.\.\/)?(?:docs\/)?([\w/-]+)\.md/.exec(target)?.[1];
      return page === undefined || plain(words) === page ? words : `${words} (baton help ${page})`;
    })
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?!\*)/g, "$1");
  return kept === "`" ? bare : bare.replaceAll("`", "");
}
