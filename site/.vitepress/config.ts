import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "vitepress";

const root = resolve(import.meta.dirname, "../..");
const page = (text: string, file: string) => ({ text, link: `/docs/${file}` });

/** The pages that `build.ts` copies, as a site with search. Links between them work as they do in the repository. */
export default defineConfig({
  title: "Baton",
  description: "Crews of agents in Markdown and YAML: checked, planned, tested, journalled.",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: ".cache",
  rewrites: { "README.md": "index.md" },
  cleanUrls: true,
  // A link to a file that is no page, such as an example's folder, is fine if the file is there.
  ignoreDeadLinks: [(link) => existsSync(join(root, link.replace(/^(?:\.{1,2}\/)+/, "")))],
  markdown: {
    attrs: { disable: true },
    // The pages have no HTML but comments, and Vue would take what stands in double braces for code of its own.
    config(md) {
      const render = md.set({ html: false }).render.bind(md);
      md.render = (source, env) =>
        render(source.replace(/<!--[\s\S]*?-->\n?/g, ""), env).replaceAll("{{", "&#123;&#123;");
    },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      page("Start here", "start"),
      page("Ideas", "ideas"),
      page("Reference", "reference/crew"),
      { text: "Changes", link: "/CHANGELOG" },
    ],
    sidebar: [
      {
        text: "Begin",
        items: [page("Start here", "start"), page("Ideas in ten minutes", "ideas"), page("Importing", "importing")],
      },
      {
        text: "Write",
        items: [
          page("Crews", "crews"),
          page("Signals", "signals"),
          page("Patterns", "patterns"),
          page("Groups", "groups"),
          page("Transfers", "transfers"),
          page("Crews of crews", "crews-of-crews"),
          page("Who begins", "entry"),
          page("Tools and MCP", "tools"),
          page("Built-in tools", "built-in-tools"),
          page("Guards", "guards"),
          page("Memory", "memory"),
          page("Functions as agents", "functions"),
          page("Models", "models"),
        ],
      },
      {
        text: "Run",
        items: [
          page("What a run can cost", "plan"),
          page("Scenarios", "scenarios"),
          page("Running crews", "running"),
          page("Humans in the loop", "humans"),
          page("Conversations", "conversations"),
          page("Where runs are stored", "journal"),
          page("PostgreSQL", "postgres"),
          page("What went wrong", "diagnosis"),
          page("Learning", "learning"),
          page("Telemetry", "telemetry"),
          page("Security", "security"),
        ],
      },
      {
        text: "Serve",
        items: [
          page("Crews over HTTP", "serving"),
          page("In production", "deployment"),
          page("The client", "client"),
          page("Chat clients", "chat-clients"),
          page("A2A", "a2a"),
          page("AG-UI", "ag-ui"),
          page("MCP", "mcp-server"),
        ],
      },
      {
        text: "Coming from",
        items: [
          page("LangGraph", "from-langgraph"),
          page("OpenAI Agents SDK", "from-openai-agents"),
          page("CrewAI", "from-crewai"),
          page("AutoGen", "from-autogen"),
          page("Mastra", "from-mastra"),
          page("go-agentic", "from-go-agentic"),
          page("ai-agent", "from-ai-agent"),
          page("Maia", "from-maia"),
          page("Files of other systems", "other-systems"),
        ],
      },
      {
        text: "Look up",
        items: [
          page("crew.yaml", "reference/crew"),
          page("Agent files", "reference/agent"),
          page("Scenario files", "reference/scenario"),
          page("baton.yaml", "reference/project"),
          page("Library", "reference/library"),
          page("Diagnostics", "reference/diagnostics"),
          page("Errors", "reference/errors"),
          page("Glossary", "glossary"),
        ],
      },
    ],
  },
});
