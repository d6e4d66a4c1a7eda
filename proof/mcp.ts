/**
 * `npm run proof:mcp`: serves crews as MCP tools, and tries them with programs of others: the cases of
 * @modelcontextprotocol/conformance that apply, and the inspector's command line over HTTP and on standard input and output.
 * `npm ci --prefix proof/mcp` installs them (144 MB).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = fileURLToPath(new URL("mcp/node_modules/", import.meta.url));
const conformance = join(modules, "@modelcontextprotocol/conformance/dist/index.js");
const inspector = join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const baton = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
const TOKEN = "proof";

/**
 * The cases that a server of crews can meet. The others call tools, resources and prompts that only a server made for the suite has
 * (tools-call-image, resources-*, prompts-*, json-schema-2020-12, …), log levels and completions, which crews do not have, or ask
 * the client over a session (tools-call-sampling, -elicitation, elicitation-*), which a stateless server does not.
 */
const cases = [
  ...["server-initialize", "ping", "tools-list", "tools-call-error"],
  ...["server-sse-multiple-streams", "server-sse-polling", "dns-rebinding-protection"],
];

if (!existsSync(conformance) || !existsSync(inspector)) {
  console.error("install the programs first: npm ci --prefix proof/mcp");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "baton-proof-mcp-"));
const crew = (name: string) => ({
  "crew.yaml": `version: "2.0"\nname: ${name}\ndescription: Says hello\nagents: [helper]\n`,
  "agents/helper.md": "---\nid: helper\ndescription: helps\nmodels: [openai/x]\n---\nHelp.",
});
write({ "baton.yaml": "", "replies.yaml": 'helper: ["Hello.", "Hello."]\n' }, folder);
write(crew("greeter"), join(folder, "greeter"));
write(crew("test_error_handling"), join(folder, "error"));

const server = spawn(
  process.execPath,
  [baton, "serve", "greeter", "error", "--port", "0", "--script", "replies.yaml", "--json"],
  { cwd: folder, env: { ...process.env, BATON_TOKEN: TOKEN, NO_COLOR: "1" }, stdio: ["ignore", "pipe", "ignore"] },
);
const [first] = (await once(server.stdout, "data")) as [Buffer];
const { url }: { url: string } = JSON.parse(first.toString());
const proxy = await openProxy(new URL(url));
let failed = 0;
try {
  for (const scenario of cases) {
    const args = [conformance, "server", "--url", `${proxy.url}/mcp`, "--scenario", scenario];
    tell(`conformance: ${scenario}`, await run(args, folder));
  }
  const call = ["--method", "tools/call", "--tool-name", "greeter", "--tool-arg", "input=Hi"];
  const overHttp = ["--transport", "http", "--server-url", `${url}/mcp`, "--header", `Authorization: Bearer ${TOKEN}`];
  const overPipe = [process.execPath, baton, "mcp", "greeter", "--script", "replies.yaml"];
  for (const [name, target] of [
    ["HTTP", overHttp],
    ["stdio", overPipe],
  ] as const) {
    const listed = await run([inspector, "--cli", ...target, "--method", "tools/list"], folder);
    tell(`inspector: tools/list over ${name}`, { ...listed, isPassed: /"greeter"/.test(listed.said) });
    const called = await run([inspector, "--cli", ...target, ...call], folder);
    tell(`inspector: tools/call over ${name}`, { ...called, isPassed: /"text": "Hello\."/.test(called.said) });
  }
} finally {
  proxy.close();
  server.kill();
  await once(server, "exit");
  rmSync(folder, { recursive: true });
}
console.log(`${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

interface Outcome {
  readonly isPassed: boolean;
  readonly said: string;
}

function tell(name: string, { isPassed, said }: Outcome): void {
  if (!isPassed) failed++;
  console.log(`${isPassed ? "passed" : "FAILED"}  ${name}`);
  if (!isPassed) console.log(said.trim().split("\n").slice(-30).join("\n"));
}

async function run(args: readonly string[], cwd: string): Promise<Outcome> {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part));
  const [code] = (await once(child, "close")) as [number | null];
  return { isPassed: code === 0, said };
}

function write(files: Readonly<Record<string, string>>, at: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), text);
  }
}

/** The suite cannot send a token, so it comes from here. Everything else is passed on as it is, `Host` and `Origin` too. */
async function openProxy(target: URL) {
  const between = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const own = { ...headers, authorization: `Bearer ${TOKEN}` };
    const passed = request({ host: target.hostname, port: target.port, method, path, headers: own }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  const address = between.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      between.close();
      between.closeAllConnections();
    },
  };
}
