import { describe, expect, it } from "vitest";
import { agentFiles, loadWrittenCrew } from "../../test/load-written-crew.ts";
import { buildDrawing } from "./crew-drawing.ts";
import { buildGraph } from "./crew-graph.ts";
import { drawSvg } from "./draw-svg.ts";
import { layOutCrew } from "./lay-out-crew.ts";

const desk = buildGraph(
  loadWrittenCrew({
    "crew.yaml": `version: "2.0"
name: desk
agents: [triage, fixer, "say <b>hi</b> & \\"bye\\""]
sub_crews: {experts: {config_path: ./experts}}
routing:
  signals:
    triage:
      - {signal: "[FIX]", target: fixer}
      - {signal: "[HELP]", target_crew: experts}
      - {signal: "[BOTH]", target: round}
    fixer: [{signal: "[BACK]", target: triage}, {signal: "[AGAIN]", target: fixer}]
  parallel_groups: {round: {agents: [fixer], next_agent: triage}}
`,
    ...agentFiles({ triage: "description: reads", fixer: "" }),
    "agents/odd.md": '---\nid: "say <b>hi</b> & \\"bye\\""\n---\nWork.\n',
    "experts/crew.yaml": 'version: "2.0"\nname: experts\nagents: [sage]\n',
    "experts/agents/sage.md": "Know.",
  }).crew,
);

describe("an SVG drawing", () => {
  const svg = drawSvg(desk);
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

  it("has every box, with what is noted in it, and the words of every arrow", () => {
    for (const word of ["desk", "triage", "fixer", "round", "experts", "sage", "[FIX]", "[HELP]", "[BACK]", "[AGAIN]"])
      expect(texts).toContain(word);
    expect(svg.match(/<title>/g)).toHaveLength(desk.edges.length);
    expect(svg).toContain("<title>fixer to triage: [BACK]</title>");
  });

  it("keeps odd names whole, and out of its own syntax", () => {
    expect(texts).toContain("say &#60;b&#62;hi&#60;/b&#62; &#38; &#34;bye&#34;");
    expect(svg).not.toMatch(/&(?!#\d+;)/);
  });

  it("is closed as often as it is opened", () => {
    const open: string[] = [];
    for (const [, close, name = "", own] of svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
      if (close === "/") expect(open.pop()).toBe(name);
      else if (own !== "/") open.push(name);
    }
    expect(open).toEqual([]);
  });

  it("keeps boxes apart, and arrows beside them: onward on the right, back on the left", () => {
    const { boxes, arrows, width } = layOutCrew(buildDrawing(desk));
    for (const [index, box] of boxes.entries()) {
      const next = boxes[index + 1];
      if (next !== undefined) expect(box.y + box.height).toBeLessThan(next.y);
      if (box.inside !== undefined) expect(box.inside.width).toBeLessThan(box.width);
    }
    const [left = 0, right = 0] = [boxes[0]?.x, (boxes[0]?.x ?? 0) + (boxes[0]?.width ?? 0)];
    for (const { side, lane, from, to } of arrows) {
      expect(side === "right" ? to.y > from.y && lane > right && lane < width : lane < left && lane > 0).toBe(true);
    }
  });
});
