import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeCrew } from "../../test/write-crew.ts";
import { type AgentFile, readAgentFile } from "./agent-file.ts";
import { silentReporter } from "./problem-log.ts";
import { indexCollaborators } from "./resolve-collaborator.ts";

/** The index of agents with these ids, some with a name for people. */
function indexOf(agents: Readonly<Record<string, string | undefined>>) {
  const folder = writeCrew(
    Object.fromEntries(
      Object.entries(agents).map(([id, name]) => [
        `${id}.md`,
        name === undefined ? "Hi" : `---\nname: ${name}\n---\nHi`,
      ]),
    ),
  );
  const files = new Map<string, AgentFile>();
  for (const id of Object.keys(agents)) {
    const file = readAgentFile(join(folder, `${id}.md`), {
      root: folder,
      variables: {},
      reporter: silentReporter,
      isLone: true,
    });
    if (file !== undefined) files.set(id, file);
  }
  return indexCollaborators(files);
}

describe("finding a collaborator", () => {
  const index = indexOf({ python_reviewer_agent: undefined, writer: "Ngòi Bút", agent: undefined });

  it.each([
    "python_reviewer_agent",
    "Python Reviewer",
    "python-reviewer",
    "PYTHON REVIEWER AGENT",
    "Python Reviewer Agent",
    "PythonReviewer",
    "`python reviewer`",
  ])("finds python_reviewer_agent by %s", (name) => expect(index.find(name)).toEqual(["python_reviewer_agent"]));

  it.each(["Ngòi Bút", "ngòi-bút", "Ngòi Bút".normalize("NFD"), "writer", "Writer Agent"])(
    "finds an agent by its id and by its name for people: %s",
    (name) => expect(index.find(name)).toEqual(["writer"]),
  );

  it("does not take an agent that is called just that for a nameless one", () => {
    expect(index.find("Agent")).toEqual(["agent"]);
  });

  it.each(["Reviewer", "the Reviewer Agent", "reviewer of Python"])("finds who alone has all words of %s", (name) => {
    expect(index.find(name)).toEqual(["python_reviewer_agent"]);
  });

  it.each(["Python Reviewers", "Python Painter", "Ngoi But", "nobody"])("finds nobody by %s", (name) => {
    expect(index.find(name)).toEqual([]);
  });
});

describe("names that fit several agents", () => {
  const index = indexOf({
    "data-analyst": undefined,
    data_analyst: undefined,
    figures: "Data Analyst",
    Writer: undefined,
  });

  it("are ambiguous", () => {
    expect(index.find("Data Analyst")).toEqual(["data-analyst", "data_analyst", "figures"]);
  });

  it("are ambiguous where several have all their words", () => {
    const sorted = indexOf({ cloud_security_agent: undefined, security_desk: undefined, dns: undefined });
    expect(sorted.find("Security")).toEqual(["cloud_security_agent", "security_desk"]);
    expect(sorted.find("Cloud Security")).toEqual(["cloud_security_agent"]);
  });

  it("are not where one is the id itself", () => {
    expect(index.find("data_analyst")).toEqual(["data_analyst"]);
  });

  it("count once for an agent whose id and name are alike", () => {
    expect(indexOf({ writer: "Writer" }).find("WRITER")).toEqual(["writer"]);
  });

  it.each([
    ["DNS", "dns"],
    ["D N S", "dns"],
    ["DNS Agent", "dns_agent"],
    ["dns-agent", "dns_agent"],
  ])("are not where one fits as it is written: %s", (name, id) => {
    expect(indexOf({ dns_agent: undefined, dns: undefined }).find(name)).toEqual([id]);
  });
});
