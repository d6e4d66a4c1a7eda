/** Each report once: agencies send the same one again, with other spaces and capitals. */
export function wire(input: string): string {
  const reports = new Map<string, string>();
  for (const line of input.split("\n")) {
    const report = line.trim().replace(/\s+/g, " ");
    if (report !== "") reports.set(report.toLowerCase(), report);
  }
  if (reports.size === 0) return "Nothing has come in. [QUIET]";
  const list = [...reports.values()].map((report) => `- ${report}`).join("\n");
  return `${list}\n\n[NEWS]`;
}

const MOST_WORDS = 60;

/** The page as it is printed, if it fits. */
export function press(page: string): string {
  const words = page.split(/\s+/).filter((word) => word !== "").length;
  if (words > MOST_WORDS)
    return `The page has ${words} words, and ${MOST_WORDS} fit. Give it again, shorter.\n\n${page}\n\n[LONG]`;
  return `THE DAILY BATON\n===============\n\n${page.trim()}\n\n[OUT]`;
}
