import { appendFileSync, readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** A server for tests: what it does beyond a few tools is told by its arguments. */
const [log, ...habits] = process.argv.slice(2);
if (log !== undefined) appendFileSync(log, `${process.pid}\n`);
// Its tools are others when it is started a second time.
const hasDrifted =
  habits.includes("drifting") &&
  readFileSync(log ?? "", "utf8")
    .trim()
    .includes("\n");
if (habits.includes("deaf")) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
  process.stdin.on("end", () => setInterval(() => {}, 1000));
}
const server = new McpServer({ name: "test", version: "1" });
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
const echo = z.object({ text: z.string() });

server.registerTool(
  "echo",
  {
    description: habits.includes("changed") || hasDrifted ? "says it again, and more" : "says it again",
    inputSchema: echo,
    annotations: { readOnlyHint: true },
  },
  ({ text: said }) => text(`echo: ${said} ${process.env["GREETING"] ?? ""}`.trim()),
);
server.registerTool("fail", { description: "fails", inputSchema: z.object({}) }, () => ({
  ...text("it is broken"),
  isError: true,
}));
server.registerTool("rant", { description: "fails at length", inputSchema: z.object({}) }, () => ({
  ...text("no ".repeat(2_000_000)),
  isError: true,
}));
server.registerTool("die", { description: "ends its server", inputSchema: z.object({}) }, () => {
  process.kill(process.pid, "SIGKILL");
  return text("never");
});
server.registerTool("hang", { description: "never answers", inputSchema: z.object({}) }, () => new Promise(() => {}));
server.registerTool("large", { description: "gives 50 MB", inputSchema: z.object({}) }, () =>
  text("x".repeat(50 * 2 ** 20)),
);
server.registerTool("dotted.name", { description: "has a dot", inputSchema: z.object({}) }, () => text("dotted"));
for (const name of ["dotted_name", "x__echo"]) {
  server.registerTool(name, { description: "is like another", inputSchema: z.object({}) }, () => text(name));
}
if (habits.includes("many")) {
  for (let index = 0; index < 1000; index++) {
    server.registerTool(`tool_${index}`, { description: `number ${index}`, inputSchema: echo }, () => text(`${index}`));
  }
}
if (habits.includes("noisy")) {
  process.stdout.write("starting up…\n{not json\n");
  setInterval(() => process.stdout.write("still here\n"), 5).unref();
}
if (habits.includes("stuck")) {
  process.stderr.write("fetching packages\nwaiting for the registry\n");
  await new Promise(() => setInterval(() => {}, 1000));
}
if (habits.includes("broken")) {
  process.stderr.write("cannot find my configuration\n");
  process.exit(1);
}
await server.connect(new StdioServerTransport());
