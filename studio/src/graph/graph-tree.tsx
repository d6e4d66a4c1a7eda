import { type KeyboardEvent, useRef } from "react";
import { type CrewGraph, listEdgeLabels, listNotes } from "../../../src/flow/crew-graph.ts";

/** The same graph as a list that arrow keys walk through: each agent, and where it leads. */
export function GraphTree({ graph }: { readonly graph: CrewGraph }) {
  const list = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[data-item]") ?? [])];
    const index = items.indexOf(document.activeElement as HTMLElement);
    items[Math.min(items.length - 1, Math.max(0, index + step))]?.focus();
  };
  return (
    <ul className="stack" ref={list} onKeyDown={move} style={{ padding: 12 }}>
      {graph.nodes.map((node) => (
        <li key={node.name} id={`node-${node.name}`} className="stack" style={{ gap: 2 }}>
          <a data-item href={`#node-${node.name}`} style={{ color: "var(--text)", fontWeight: 600 }}>
            {node.isEntry && "▶ "}
            {node.name}
            <span className="muted"> {[node.kind, ...listNotes(node)].join(" · ")}</span>
          </a>
          <ul>
            {graph.edges
              .filter(({ from }) => from === node.name)
              .map((edge) => (
                <li key={`${edge.to} ${edge.kind} ${edge.labels.join()}`} style={{ paddingLeft: 18 }}>
                  <a data-item href={`#node-${edge.to}`}>
                    {edge.kind === "calls" ? "calls" : "→"} {edge.to}
                    <span className="muted"> {listEdgeLabels(edge).join(", ")}</span>
                  </a>
                </li>
              ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
