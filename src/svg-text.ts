/** Text as it may stand in an SVG. */
export function svgText(text: string): string {
  // Of the control characters XML allows none but these.
  return text
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\uFFFF\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .toWellFormed();
}
