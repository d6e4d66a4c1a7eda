import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importSources } from "../src/import/import-sources.ts";
import { writeCrew } from "./write-crew.ts";

/** One sound file of each kind, to be damaged. */
const sound: readonly (readonly [file: string, text: string])[] = [
  [
    "agents.yaml",
    "scout:\n  role: Scout of {topic}\n  goal: Find\n  backstory: Long\n  llm: gpt-4o\n  max_iter: 3\n  tools: [a]\n",
  ],
  [
    "tasks.yaml",
    "look:\n  description: Look at {topic}\n  expected_output: A list\n  agent: scout\n  context: [other]\n  async_execution: true\nother:\n  description: x\n  expected_output: y\n",
  ],
  [
    "team.yaml",
    "models:\n  m: { provider: openai, model: gpt-5, max_tokens: 9 }\nagents:\n  root:\n    model: m,auto\n    instruction: Lead\n    sub_agents: [b]\n    toolsets:\n      - { type: mcp, command: npx, args: [-y, x], env: { A: b } }\n      - type: script\n        shell: { s: { cmd: ls } }\n  b: { model: x/y, instruction: Help, handoffs: [root] }\n",
  ],
  [
    "team.json",
    '{"provider":"autogen_agentchat.teams.Swarm","component_type":"team","config":{"participants":[{"provider":"x.AssistantAgent","config":{"name":"a","system_message":"m","handoffs":["b"],"tools":[{"config":{"name":"t"}}]}}],"termination_condition":{"provider":"x.MaxMessageTermination","config":{"max_messages":3}}}}',
  ],
  [
    "a.agent.md",
    "---\nname: A\ndescription: b: c\ntools: ['read', 'x/y']\nmodel: GPT-5\nhandoffs:\n  - { agent: A, prompt: p }\n---\nPrompt\n",
  ],
  [
    "b.ai",
    "#!/x\n---\ndescription: d\nmodels: openai/x\ntools: files\noutput: { format: json, schema: { type: object } }\n---\n{% render 'x.md' %} ${FORMAT}\n",
  ],
  ["c.md", "# C\n\n**Purpose**: x\n\n**Collaborations**: D (e), F\n"],
  [
    "crew.yaml",
    'version: "1.0"\nagents: [a]\nrouting:\n  signals:\n    a: [{ signal: "[X]", target: "" }]\nsettings: { language: en, max_rounds: 0 }\n',
  ],
];

const pieces = [
  "\u0000",
  "\ufeff",
  "\t",
  "\r\n",
  ": ",
  "- ",
  "[",
  "{",
  "}",
  '"',
  "'",
  "|",
  "&x ",
  "*x",
  "---\n",
  "null",
  "0",
  "-1",
  "1e999",
  "true",
  "{{.X}}",
  "{%",
  "%}",
  "${",
  "../..",
  "🙂",
  "\u202e",
  "__proto__: 1\n",
  "constructor: {}\n",
  "   ",
];

const damage = fc.array(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(12), piece: fc.constantFrom(...pieces, "") }),
  { minLength: 1, maxLength: 4 },
);

describe("importing damaged files", () => {
  it("never throws, and what it gives passes the check or says why not", () => {
    fc.assert(
      fc.property(fc.constantFrom(...sound), damage, ([file, text], slips) => {
        const damaged = slips.reduce((whole, { at, cut, piece }) => {
          const from = Math.floor(at * whole.length);
          return whole.slice(0, from) + piece + whole.slice(from + cut);
        }, text);
        const folder = writeCrew({ [file]: damaged, "package.json": "{}" });
        const { crews, problems } = importSources(file, { workingDirectory: folder });
        expect(crews.length + problems.length).toBeGreaterThan(0);
        for (const { diagnostics, files } of crews) {
          expect(files.at(-1)?.path).toBe("IMPORT.md");
          const errors = diagnostics.filter(({ severity }) => severity === "error");
          expect({ damaged, errors: errors.map(({ message }) => message) }).toEqual({ damaged, errors: [] });
        }
      }),
      { numRuns: 400 },
    );
  });
});
