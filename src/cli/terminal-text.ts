import { styleText } from "node:util";

export type Style = "red" | "yellow" | "green" | "cyan" | "bold" | "dim";

/** What moves cursors, sets titles or turns the direction of text around: all controls but tab and line breaks. */
const CONTROLS = /(?!\r\n)[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

/**
 * The text with its control characters written out. Those that JSON leaves as they are (DEL, C1, bidi) are written as JSON writes them,
 * so that printed JSON stays what it is.
 */
export function showControls(text: string): string {
  return text.replace(CONTROLS, (control) => {
    const code = control.charCodeAt(0);
    return code < 0x20 ? `\\x${formatHex(code, 2)}` : `\\u${formatHex(code, 4)}`;
  });
}

function formatHex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** Our own colours carry random numbers until they are written: no model can guess them, so none can forge a colour. */
const MARK = `\u001b[${[...crypto.getRandomValues(new Uint16Array(3))].map((each) => 1000 + (each % 9000)).join(";")};`;

/** Text in a colour that `writable` lets pass, where the stream shows colours. */
export function colour(format: Style, text: string, stream: NodeJS.WriteStream): string {
  const [open = "", close = ""] = styleText(format, "\n", { stream }).replaceAll("\u001b[", MARK).split("\n");
  // Where a colour within the text ends, this one goes on.
  return open === "" ? text : `${open}${text.replaceAll(close, `${close}${open}`)}${close}`;
}

/** The text as a terminal may have it: of all escape sequences only our own colours. */
export function makeWritable(text: string): string {
  const [first = "", ...others] = text.split(MARK);
  const rest = others.map((part) => {
    const code = /^\d+m/.exec(part)?.[0];
    return code === undefined ? showControls(part) : `\u001b[${code}${showControls(part.slice(code.length))}`;
  });
  return showControls(first) + rest.join("");
}
