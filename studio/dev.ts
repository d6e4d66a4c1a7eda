import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "vite";

/**
 * `npm run studio:dev -- <crews>`: the studio with its sources, and a server with crews behind it. What the server needs besides, such as
 * `--script`, is passed on.
 */
const PORT = 5173;
const token = randomBytes(16).toString("hex");
process.env["BATON_TOKEN"] = token;
const given = process.argv.slice(2);
const crews = given.length > 0 ? given : ["../examples/quiz", "--script", "../examples/quiz/demo.script.yaml"];
const server = spawn(
  process.execPath,
  ["../bin/baton.js", "serve", ...crews, "--studio", "--origin", `http://localhost:${PORT}`],
  {
    stdio: "inherit",
    env: { ...process.env, BATON_TOKEN: token },
  },
);
const page = await createServer({ server: { port: PORT, strictPort: true } });
await page.listen();
page.printUrls();
server.on("exit", () => void page.close());
