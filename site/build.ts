import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run docs:site`: builds the documentation as a site in `site/dist`. VitePress is installed here and not with the rest, because it is
 * a hundred megabytes that only this command needs. A link that leads nowhere ends the build.
 */
const site = import.meta.dirname;
const root = fileURLToPath(new URL("..", import.meta.url));
const pages = join(site, "pages");
const sources = ["*.md", "docs/**/*.md", "docs/pictures/*", "examples/*/README.md", "studio/README.md"];

rmSync(pages, { recursive: true, force: true });
for (const file of globSync(sources, { cwd: root })) {
  mkdirSync(dirname(join(pages, file)), { recursive: true });
  cpSync(join(root, file), join(pages, file));
}
const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { cwd: site, stdio: "inherit" });
if (!existsSync(join(site, "node_modules/vitepress"))) run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
run(process.execPath, join(site, "node_modules/vitepress/bin/vitepress.js"), "build");
