const entities: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", mdash: "—", ndash: "–", hellip: "…" },
  ...{ copy: "©", laquo: "«", raquo: "»", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”" },
};
/** Elements whose content nobody reads. */
const SILENT: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "nav",
  "head",
  "iframe",
]);
const BLOCKS: ReadonlySet<string> = new Set([
  ...[
    "p",
    "div",
    "section",
    "article",
    "header",
    "footer",
    "main",
    "ul",
    "ol",
    "table",
    "tr",
    "br",
    "hr",
    "blockquote",
  ],
  ...["pre", "h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "figure", "form", "title"],
]);

/** The text of a page, in one pass: headings and lists as Markdown has them, addresses of links in parentheses. */
export function readHtml(html: string): string {
  const parts: string[] = [];
  const links: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open === -1 ? html.length : open;
    parts.push(decode(html.slice(at, end)).replaceAll(/\s+/g, " "));
    if (open === -1) break;
    const tag = readTag(html, open);
    at = tag.end;
    if (tag.isOpening && SILENT.has(tag.name)) at = skipElement(html, tag);
    else parts.push(...writeTag(tag, links));
  }
  return parts
    .join("")
    .replaceAll(/[ \t]*\n[ \t]*/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

interface Tag {
  readonly name: string;
  readonly isOpening: boolean;
  readonly attributes: string;
  readonly end: number;
}

function readTag(html: string, open: number): Tag {
  if (html.startsWith("<!--", open)) {
    const close = html.indexOf("-->", open);
    return { name: "", isOpening: false, attributes: "", end: close === -1 ? html.length : close + 3 };
  }
  const close = html.indexOf(">", open);
  const end = close === -1 ? html.length : close + 1;
  const inside = html.slice(open + 1, end - 1);
  const name = /^\/?[a-zA-Z][a-zA-Z0-9]*/.exec(inside)?.[0].toLowerCase() ?? "";
  return { name: name.replace("/", ""), isOpening: !name.startsWith("/"), attributes: inside.slice(name.length), end };
}

function skipElement(html: string, { name, end }: Tag): number {
  const closing = new RegExp(`</${name}\\b[^>]{0,200}>`, "gi");
  closing.lastIndex = end;
  const found = closing.exec(html);
  return found === null ? (name === "head" ? end : html.length) : found.index + found[0].length;
}

function writeTag(tag: Tag, links: string[]): string[] {
  const { name, isOpening } = tag;
  if (name === "a") return writeLink(tag, links);
  if (name === "td" || name === "th") return isOpening ? [" | "] : [];
  if (!BLOCKS.has(name)) return [];
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading !== undefined) return [isOpening ? `\n\n${"#".repeat(Number(heading))} ` : "\n\n"];
  if (name === "li") return isOpening ? ["\n- "] : [];
  return [name === "br" || name === "tr" ? "\n" : "\n\n"];
}

/** The address of a link comes after its text. */
function writeLink({ isOpening, attributes }: Tag, links: string[]): string[] {
  if (isOpening) links.push(/\bhref\s*=\s*["']?([^"'\s>]{1,2000})/i.exec(attributes)?.[1] ?? "");
  const link = isOpening ? "" : (links.pop() ?? "");
  return /^https?:/.test(link) ? [` (${decode(link)})`] : [];
}

function decode(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
