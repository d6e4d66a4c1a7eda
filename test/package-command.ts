import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The command as it is published. Bundled, it starts in half the time, and the tests start it hundreds of times. */
export function packageCommand(): string {
  return join(findPackage(), "bin/baton.js");
}

/** The library likewise. */
export function packagedLibrary(): string {
  return join(findPackage(), "dist/index.js");
}

function findPackage(): string {
  const folder = join(tmpdir(), "baton-package");
  if (!existsSync(folder)) makePackage(folder);
  return folder;
}

/** Another process of the tests may do the same at the same time: whoever is first has made it for all. */
function makePackage(folder: string): void {
  const own = mkdtempSync(join(tmpdir(), "baton-packing-"));
  const { status, stderr } = spawnSync(process.execPath, ["bundle.ts", join(own, "dist")], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the program cannot be bundled: ${stderr}`);
  mkdirSync(join(own, "bin"));
  for (const file of ["package.json", "bin/baton.js"]) copyFileSync(join(root, file), join(own, file));
  for (const folder of ["node_modules", "templates", "docs"]) symlinkSync(join(root, folder), join(own, folder));
  try {
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(own, { recursive: true });
  }
}
