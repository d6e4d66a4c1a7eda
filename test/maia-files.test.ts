import { describe, expect, it } from "vitest";
import { loadWrittenCrew } from "./load-written-crew.ts";

const dns = `# DNS Agent

## Overview
**Purpose**: knows names and zones.

## Commands
### look
**Purpose**: looks a name up
`;

describe("a prompt in the form of Maia", () => {
  it("says by its Purpose what the agent does", () => {
    const { crew } = loadWrittenCrew({ "dns.md": dns, "late.md": dns.replace("**Purpose**: knows", "Knows") }, ".");
    expect(crew.agents.get("dns")?.description).toBe("knows names and zones.");
    expect(crew.agents.get("late")?.description).toBeUndefined();
  });

  it("has a description of its own before that", () => {
    const { crew } = loadWrittenCrew({ "dns.md": `---\ndescription: zones\n---\n${dns}` }, ".");
    expect(crew.agents.get("dns")?.description).toBe("zones");
  });

  it("names collaborators by some of their words, in a lone file too", () => {
    const files = {
      "desk.md": "**Collaborations**: Cloud Security, DNS (zones)",
      "cloud_security_principal_agent.md": "**Purpose**: guards the cloud",
      "dns_specialist_agent.md": "Work.",
    };
    for (const path of [".", "desk.md"]) {
      const { crew, diagnostics } = loadWrittenCrew(files, path);
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(crew.agents.get("desk")?.collaborations.map(({ agent }) => agent)).toEqual([
        "cloud_security_principal_agent",
        "dns_specialist_agent",
      ]);
    }
  });

  it("is refused for a collaborator who is nobody, and only warned of one in an agent that it leads to", () => {
    const files = {
      "desk.md": "**Collaborations**: Helper (helps)",
      "helper.md": "**Collaborations**: Nobody Known (nothing)",
    };
    expect(loadWrittenCrew(files, "helper.md").diagnostics).toMatchObject([
      { code: "unknown-collaborator", severity: "error" },
    ]);
    const { crew, diagnostics } = loadWrittenCrew(files, "desk.md");
    expect(diagnostics).toMatchObject([
      {
        code: "unknown-collaborator",
        severity: "warning",
        message: "unknown collaborator 'Nobody Known': that transfer is not offered",
      },
    ]);
    expect(crew.agents.get("helper")?.collaborations).toEqual([]);
  });

  it("is told once that Primary Collaborations offer nothing, however many files have them", () => {
    const list = "**Primary Collaborations**:\n- **DNS Agent**: zones\n";
    const { diagnostics } = loadWrittenCrew(
      { "a.md": list, "b.md": `\`\`\`\n${list}\`\`\`\n### Primary Collaborations\n` },
      ".",
    );
    expect(diagnostics.map(({ message }) => message)).toContain(
      "these keys have no effect: '**Primary Collaborations**' (Maia does not read it; a line that begins with **Collaborations**: offers transfers), in 2 files",
    );
  });
});
