const MAX_NAME = 120;

/** Names that Windows keeps for devices. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The name of a file and nothing else: the last part of a path, without characters that mean something to a file system, a
 * terminal, a header of HTTP or a reference in a text. It never begins with a dot, so it is no hidden file and leads nowhere.
 */
export function cleanName(name: string): string {
  const last = name.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[[\]<>:"|?*,;`]/g, "_")
    .replace(/^[.\s~-]+/, "")
    .replace(/[.\s]+$/, "");
  const short = shorten(plain);
  return short === "" ? "file" : devices.test(short) ? `_${short}` : short;
}

/** What is too long loses its middle, and keeps its ending. */
function shorten(name: string): string {
  const letters = [...name];
  if (letters.length <= MAX_NAME) return name;
  const ending = /\.[^.]{1,10}$/u.exec(name)?.[0] ?? "";
  return `${letters.slice(0, MAX_NAME - [...ending].length).join("")}${ending}`;
}
