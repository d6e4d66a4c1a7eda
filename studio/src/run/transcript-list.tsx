import { useMemo } from "react";
import { buildTranscript } from "../../../src/views/transcript.ts";
import type { TranscriptEntry } from "../../../src/views/transcript-entry.ts";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { formatMs } from "../parts/format.ts";
import { describeEntry } from "./describe-entry.ts";
import type { RunData } from "./run-data.ts";
import type { RunView } from "./run-state.ts";
import { VirtualList } from "./virtual-list.tsx";

interface Props {
  readonly data: RunData;
  readonly events: readonly BatonEvent[];
  readonly view: RunView;
  readonly marked: ReadonlySet<number>;
  readonly onChange: (change: Partial<RunView>) => void;
}

interface Row {
  readonly key: string;
  readonly seq: number | undefined;
  readonly entry: TranscriptEntry;
}

/** Who said what to whom. */
export function TranscriptList({ data, events, view, marked, onChange }: Props) {
  const rows = useMemo(() => listRows(events), [events]);
  const start = events[0]?.ts ?? 0;
  return (
    <>
      <VirtualList
        items={rows}
        rowHeight={68}
        label="Transcript"
        keyOf={({ key }) => key}
        show={view.chosen === undefined ? undefined : rows.findIndex(({ seq }) => seq === view.chosen)}
      >
        {({ entry, seq }) => (
          <Entry
            entry={entry}
            start={start}
            isChosen={seq !== undefined && seq === view.chosen}
            isMarked={marked.has(seq ?? -1)}
            onChoose={() => onChange({ chosen: seq })}
          />
        )}
      </VirtualList>
      {view.at === undefined && [...data.streams].map(([path, text]) => <LiveText key={path} text={text} />)}
    </>
  );
}

function LiveText({ text }: { readonly text: string }) {
  return (
    <div className="entry" aria-live="off">
      <span className="said text">{text}▌</span>
    </div>
  );
}

function Entry({
  entry,
  start,
  isChosen,
  isMarked,
  onChoose,
}: {
  readonly entry: TranscriptEntry;
  readonly start: number;
  readonly isChosen: boolean;
  readonly isMarked: boolean;
  readonly onChoose: () => void;
}) {
  const { sign, who, text, isQuiet } = describeEntry(entry);
  return (
    <button
      type="button"
      className={`entry${isMarked ? " marked" : ""}`}
      aria-current={isChosen}
      style={{ paddingLeft: 12 + Math.min(entry.depth, 6) * 18 }}
      onClick={onChoose}
    >
      <span className="row">
        <span aria-hidden="true" className="muted">
          {sign}
        </span>
        <span className={isQuiet ? "muted" : "who"}>{who}</span>
      </span>
      <span className="when">{formatMs(entry.ts - start)}</span>
      {text !== "" && <span className={`said text clamp${isQuiet ? " muted" : ""}`}>{text}</span>}
    </button>
  );
}

function listRows(events: readonly BatonEvent[]): Row[] {
  if (events.length === 0) return [];
  const seqs = new Map<string, number>();
  for (const { path, ts, seq } of events) if (seq !== undefined) seqs.set(`${path} ${ts}`, seq);
  const used = new Map<string, number>();
  return buildTranscript(events).map((entry) => {
    const base = `${entry.path} ${entry.ts} ${entry.type}`;
    const n = (used.get(base) ?? 0) + 1;
    used.set(base, n);
    return { key: `${base} ${n}`, seq: seqs.get(`${entry.path} ${entry.ts}`), entry };
  });
}
