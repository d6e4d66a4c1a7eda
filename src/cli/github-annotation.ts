/** A workflow command of GitHub Actions, with the escapes that its parser asks for. */
export function formatAnnotation(
  severity: "error" | "warning" | "notice",
  {
    file,
    line,
    col,
    title,
  }: { readonly file: string; readonly line: number; readonly col?: number; readonly title: string },
  message: string,
): string {
  const column = col === undefined ? "" : `,col=${col}`;
  return `::${severity} file=${inProperty(file)},line=${line}${column},title=${inProperty(title)}::${inText(message)}`;
}

function inProperty(text: string): string {
  return inText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function inText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
