import { describe, expect, it } from "vitest";
import { buildDrawing, type CrewBox } from "./crew-drawing.ts";
import type { CrewGraph, GraphEdge, GraphNode } from "./crew-graph.ts";
import { drawAscii } from "./draw-ascii.ts";
import { drawDot } from "./draw-dot.ts";
import { drawMermaid } from "./draw-mermaid.ts";

const drawings = [
  ["text", drawAscii],
  ["Mermaid", drawMermaid],
  ["Graphviz", drawDot],
] as const;

function agent(name: string, more: Partial<GraphNode> = {}): GraphNode {
  return { name, kind: "agent", isEntry: false, about: undefined, ends: [], waits: [], ...more };
}

function graph(more: Partial<CrewGraph>): CrewGraph {
  return { name: "top", nodes: [], edges: [], crews: new Map(), ...more };
}

function edge(from: string, to: string, toKind: GraphEdge["toKind"] = "node"): GraphEdge {
  return { from, to, toKind, kind: "moves", labels: [] };
}

/** A crew that calls the next one under two names, `levels` deep. */
function shared(levels: number): CrewGraph {
  let inner = graph({ name: "innermost", nodes: [agent("worker")] });
  for (let level = 0; level < levels; level++) {
    inner = graph({
      nodes: [agent("a")],
      edges: [edge("a", "right", "crew")],
      crews: new Map([
        ["left", inner],
        ["right", inner],
      ]),
    });
  }
  return inner;
}

describe("a crew that has several names", () => {
  const twice = shared(2);

  it("is drawn under the first, and the others say so", () => {
    const kinds = (boxes: readonly CrewBox[]): unknown[] =>
      boxes.map((box) => (box.type === "crew" ? [box.name, kinds(box.inside.crews)] : [box.name, box.drawnAs]));
    expect(kinds(buildDrawing(twice).crews)).toEqual([
      [
        "left",
        [
          ["left", []],
          ["right", ["left", "left"]],
        ],
      ],
      ["right", ["left"]],
    ]);
  });

  it("is referred to in text by its title", () => {
    expect(drawAscii(twice).split("\n")).toEqual(
      expect.arrayContaining([
        "top / left / left (1 agent)",
        "top / left / right (drawn above as top / left / left)",
        "top / right (drawn above as top / left)",
      ]),
    );
  });

  it("is referred to in Mermaid and Graphviz by a box, to which its arrows lead", () => {
    expect(drawMermaid(twice)).toContain('    nc0_c1_["<b>right</b><br/>drawn as left / left"]\n');
    expect(drawMermaid(twice)).toContain("  n0 --> nc1_\n");
    expect(drawDot(twice)).toContain('    nc0_c1_ [label="right\\ndrawn as left / left", style="rounded,dashed"];\n');
    expect(drawDot(twice)).toContain("  n0 -> nc1_ [style=solid];\n");
  });

  it.each(drawings)("keeps a drawing in %s small at any depth", (_, draw) => {
    expect(draw(shared(18)).length).toBeLessThan(20_000);
  });
});

describe("the ids of boxes", () => {
  it("keep agents apart from those of sub-crews, whatever they are called", () => {
    const sub = graph({ name: "sub", nodes: [agent("x")] });
    const named = graph({
      nodes: [agent("sub/x"), agent("a")],
      edges: [edge("a", "sub/x"), edge("a", "sub", "crew")],
      crews: new Map([["sub", sub]]),
    });
    expect(drawDot(named)).toContain('  n0 [label="sub/x"];\n');
    expect(drawDot(named)).toContain('    nc0_0 [label="x"];\n');
    expect(drawDot(named)).toContain("  n1 -> n0 [style=solid];\n");
    expect(drawDot(named)).toContain("  n1 -> nc0_0 [style=solid, lhead=cluster_nc0_];\n");
  });
});

describe("an arrow that leads to nothing the graph has", () => {
  it.each(drawings.flatMap(([name, draw]) => (["node", "crew"] as const).map((kind) => [name, kind, draw] as const)))(
    "is not drawn in %s, to a %s: the graph is wrong",
    (_, kind, draw) => {
      expect(() => draw(graph({ nodes: [agent("a")], edges: [edge("a", "b", kind)] }))).toThrow(
        "the graph of 'top' has an arrow from 'a' to 'b' but not both boxes",
      );
    },
  );

  it("is not drawn from it either", () => {
    expect(() => drawMermaid(graph({ nodes: [agent("a")], edges: [edge("b", "a")] }))).toThrow("from 'b' to 'a'");
  });
});

describe("a drawing of next to nothing", () => {
  it("is still a drawing", () => {
    expect(drawMermaid(graph({}))).toMatch(/^flowchart TD\n/);
    expect(drawDot(graph({}))).toMatch(/^digraph crew \{\n(.*\n)*\}\n$/);
  });

  it("has arrows to a crew without agents", () => {
    const empty = graph({ name: "empty" });
    const calls = graph({
      nodes: [agent("a")],
      edges: [edge("a", "empty", "crew")],
      crews: new Map([["empty", empty]]),
    });
    expect(drawDot(calls)).toContain("    nc0_ [shape=point, style=invis];\n");
    expect(drawDot(calls)).toContain("  n0 -> nc0_ [style=solid, lhead=cluster_nc0_];\n");
    expect(drawMermaid(calls)).toContain("  n0 --> nc0_\n");
  });
});

describe("a drawing in text of something very large", () => {
  it("has a box with very many ways to end", () => {
    const ends = Array.from({ length: 130_000 }, (_, index) => `[S${index}]`);
    expect(drawAscii(graph({ nodes: [agent("a", { ends })] })).split("\n").length).toBeGreaterThan(ends.length);
  });

  it("looks at each arrow a few times only", () => {
    const names = Array.from({ length: 300 }, (_, index) => `a${index}`);
    let reads = 0;
    const edges = names.map((name) => ({
      ...edge(name, name),
      get from() {
        reads++;
        return name;
      },
    }));
    expect(drawAscii(graph({ nodes: names.map((name) => agent(name)), edges }))).toContain("then ──▶ a299\n");
    expect(reads).toBeLessThan(10 * names.length);
  });
});
