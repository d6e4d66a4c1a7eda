import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run proof:types`: compiles a program that uses the published types, with the oldest and the newest TypeScript 5 and with the
 * project's own, under each resolution of modules that a project may have. It installs the compilers from the registry.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const versions = ["5.4.5", "5.9.3"];
const resolutions = [
  ["node16", "node16"],
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
] as const;

const folder = mkdtempSync(join(tmpdir(), "baton-types-"));
try {
  makeProject();
  const compilers = [...versions.map(install), join(root, "node_modules/typescript/bin/tsc")];
  for (const compiler of compilers)
    for (const [module, resolution] of resolutions) compile(compiler, module, resolution);
} finally {
  rmSync(folder, { recursive: true, maxRetries: 3 });
}

/** A project that has the package, as it is published, and what a user has besides. */
function makeProject(): void {
  const packaged = join(folder, "node_modules/baton-agents");
  mkdirSync(packaged, { recursive: true });
  const build = ["-p", "tsconfig.build.json", "--outDir", join(packaged, "dist")];
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", ...build], { cwd: root, stdio: "inherit" });
  copyFileSync(join(root, "package.json"), join(packaged, "package.json"));
  for (const name of ["zod", "@types", "undici-types", "yaml", "@ai-sdk"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  cpSync(join(root, "proof/types-sample.txt"), join(folder, "sample.ts"));
}

function install(version: string): string {
  const own = join(folder, `typescript-${version}`);
  mkdirSync(own);
  writeFileSync(join(own, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", `typescript@${version}`], {
    cwd: own,
    stdio: "inherit",
  });
  return join(own, "node_modules/typescript/bin/tsc");
}

function compile(compiler: string, module: string, resolution: string): void {
  const libraries = ["--target", "es2022", "--lib", "es2023,esnext.disposable", "--types", "node"];
  const modules = ["--module", module, "--moduleResolution", resolution];
  const args = [compiler, "--noEmit", "--strict", ...libraries, ...modules, "sample.ts"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const version = spawnSync(process.execPath, [compiler, "--version"], { encoding: "utf8" }).stdout.trim();
  console.log(`${version}, ${resolution}: ${status === 0 ? "compiles" : `fails\n${stdout}`}`);
  if (status !== 0) process.exitCode = 1;
}
