import { useMemo, useState } from "react";
import { buildRunTree, type RunNode } from "../../../src/views/run-tree.ts";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { formatCount, formatMs, formatUsd } from "../parts/format.ts";
import { StatusBadge } from "../parts/status-badge.tsx";
import type { RunView } from "./run-state.ts";
import { VirtualList } from "./virtual-list.tsx";

interface Row {
  readonly node: RunNode;
  readonly depth: number;
  readonly isOpen: boolean;
}

/** The run as a tree: crews, groups, sessions, turns, calls, tools, each with its time and cost. */
export function TreeList({
  events,
  view,
  onChange,
}: {
  readonly events: readonly BatonEvent[];
  readonly view: RunView;
  readonly onChange: (change: Partial<RunView>) => void;
}) {
  const tree = useMemo(() => buildRunTree(events), [events]);
  const firstSeqs = useMemo(() => indexPaths(events), [events]);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => listRows(tree, closed), [tree, closed]);
  const chosenPath = events.find(({ seq }) => seq === view.chosen)?.path;
  const toggle = (id: string) =>
    setClosed(closed.has(id) ? new Set([...closed].filter((each) => each !== id)) : new Set([...closed, id]));
  return (
    <VirtualList items={rows} rowHeight={32} label="Tree of the run" keyOf={({ node }) => nameNode(node)}>
      {({ node, depth, isOpen }) => (
        <div className="tree-row" aria-current={node.path === chosenPath && node.kind !== "run"}>
          <span className="row" style={{ paddingLeft: depth * 16 }}>
            {node.children.length > 0 ? (
              <button
                type="button"
                className="button plain"
                style={{ minHeight: 24, padding: "0 5px" }}
                aria-expanded={isOpen}
                aria-label={`${isOpen ? "Close" : "Open"} ${node.name}`}
                onClick={() => toggle(nameNode(node))}
              >
                {isOpen ? "▾" : "▸"}
              </button>
            ) : (
              <span style={{ width: 22 }} />
            )}
            <button
              type="button"
              className="button plain cut"
              style={{ minHeight: 24, padding: "0 4px", color: "var(--text)" }}
              onClick={() => onChange({ chosen: firstSeqs.get(node.path) })}
            >
              {node.name}
            </button>
            <span className="muted">{node.kind}</span>
            {node.status !== "completed" && <StatusBadge status={node.status} />}
          </span>
          <span className="number">{formatMs(node.durationMs)}</span>
          <span className="number">{node.total.calls === 0 ? "" : formatCount(node.total.usage.total)}</span>
          <span className="number">{node.total.calls === 0 ? "" : formatUsd(node.total.cost.usd)}</span>
        </div>
      )}
    </VirtualList>
  );
}

function nameNode({ kind, path }: RunNode): string {
  return `${kind} ${path}`;
}

function listRows(node: RunNode, closed: ReadonlySet<string>, depth = 0): Row[] {
  const isOpen = !closed.has(nameNode(node));
  const below = isOpen ? node.children.flatMap((child) => listRows(child, closed, depth + 1)) : [];
  return [{ node, depth, isOpen }, ...below];
}

function indexPaths(events: readonly BatonEvent[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { path, seq } of events) if (seq !== undefined && !first.has(path)) first.set(path, seq);
  return first;
}
