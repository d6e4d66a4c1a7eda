import { describe, expect, it } from "vitest";
import { writeCrew } from "../../test/write-crew.ts";
import { reorderTargets } from "./reorder-targets.ts";

function reorderIn(frontmatter: string, order: readonly string[], file = "agents/a.md") {
  const crew = 'version: "2.0"\nname: desk\nagents: [a, b, c, d]\n';
  const others = Object.fromEntries(
    ["b", "c", "d"].map((id) => [`agents/${id}.md`, "---\ndescription: x\n---\nWork.\n"]),
  );
  const text = file.endsWith(".md") ? `---\n${frontmatter}---\nWork.\n` : `${frontmatter}system_prompt: Work.\n`;
  const workingDirectory = writeCrew({ "crew.yaml": crew, ...others, [file]: text });
  return reorderTargets(".", "a", order, { workingDirectory, root: workingDirectory });
}

describe("putting an agent's targets into another order", () => {
  it("changes nothing but the order of the list", () => {
    const change = reorderIn("# who\nhandoff_targets: [b,  'c', d] # in order\n", ["d", "c", "b"]);
    expect(change).toMatchObject({ key: "handoff_targets", from: ["b", "c", "d"], to: ["d", "c", "b"] });
    expect(change?.after).toBe("---\n# who\nhandoff_targets: [d,  'c', b] # in order\n---\nWork.\n");
  });

  it("takes lists in lines and long forms, in YAML files too", () => {
    const written = "router:\n  destinations:\n    - agent: b # old\n      specialty: bills\n    - c\n";
    const change = reorderIn(written, ["c", "b"], "agents/a.yaml");
    expect(change).toMatchObject({ key: "router.destinations", to: ["c", "b"] });
    expect(change?.after).toMatch(/^router:\n {2}destinations:\n {4}- c\n {4}- agent: b # old\n {6}specialty: bills\n/);
  });

  it("leaves those last that nothing is said of, in their order", () => {
    expect(reorderIn("handoffTargets: [b, c, d]\n", ["d"])?.to).toEqual(["d", "b", "c"]);
  });

  it("has nothing to do where there is no list of several", () => {
    expect(reorderIn("handoff_targets: [b]\n", ["b"])).toBeUndefined();
    expect(reorderTargets("nowhere", "a", [], { workingDirectory: "/" })).toBeUndefined();
  });
});
