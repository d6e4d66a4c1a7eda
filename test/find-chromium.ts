import { existsSync } from "node:fs";

/** Debian's, or one that `CHROMIUM` names. */
export function findChromium(): string {
  const found = [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
  if (found === undefined) throw new Error("tests in a browser need one: apt-get install chromium");
  return found;
}
