import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import type { DrawnBox } from "./graph-data.ts";

export interface BoxData extends Record<string, unknown> {
  readonly box: DrawnBox;
  readonly isWorking: boolean;
  readonly isChosen: boolean;
  readonly badge: "error" | "warning" | undefined;
  readonly onToggle: () => void;
}

const signs = { agent: "", group: "∥ ", crew: "▣ " } as const;

/** An agent, a group or a sub-crew. */
export function BoxNode({ data }: NodeProps<Node<BoxData, "box">>) {
  const { box, isWorking, isChosen, badge, onToggle } = data;
  const classes = ["box", box.kind, isWorking && "working", isChosen && "chosen", box.isOpen && "open"];
  return (
    <div className={classes.filter(Boolean).join(" ")} data-box={box.id}>
      <Handle type="target" position={Position.Top} />
      <div className="name cut" title={box.node?.about ?? box.name}>
        {box.node?.isEntry === true && "▶ "}
        {signs[box.kind]}
        {box.name}
        {badge !== undefined && <span className={`box-badge ${badge}`}>{badge === "error" ? "✕" : "!"}</span>}
        {box.kind === "crew" && (
          <button type="button" className="button plain nodrag" onClick={onToggle} aria-expanded={box.isOpen}>
            {box.isOpen ? "close" : "open"}
          </button>
        )}
      </div>
      {!box.isOpen &&
        box.notes.map((note) => (
          <div key={note} className="note cut">
            {note}
          </div>
        ))}
      <Handle type="source" position={Position.Bottom} />
    </div>
  );
}
