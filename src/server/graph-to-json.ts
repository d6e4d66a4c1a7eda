import type { CrewDrawing } from "../flow/crew-drawing.ts";

/** Like the drawings, each crew's inside once; where it comes again, the keys of `crews` that lead to it. */
export function graphToJson({ graph: { name, nodes, edges }, crews }: CrewDrawing): unknown {
  const subCrews = crews.map((box) => [
    box.name,
    box.type === "crew" ? graphToJson(box.inside) : { drawnAs: box.drawnAs },
  ]);
  return { name, nodes, edges, crews: Object.fromEntries(subCrews) };
}
