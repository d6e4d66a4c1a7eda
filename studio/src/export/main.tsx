import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/parts.css";
import "../styles/shell.css";
import "../styles/graph.css";
import "../styles/run.css";
import "../styles/timeline.css";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import type { RunFinding } from "../run/run-data.ts";
import { RunPage } from "../run/run-page.tsx";
import { firstView } from "../run/run-state.ts";

/** A run as it stands in its file. */
interface ExportedRun {
  readonly runId: string;
  readonly crew: string;
  readonly events: readonly BatonEvent[];
  readonly findings: readonly RunFinding[];
  /** The drawing of the crew with the way of the run, as the address of an image. */
  readonly drawing?: string;
}

/** The page of a run in a file on disk: it asks no server, and changes nothing. */
function ExportedPage({ run }: { readonly run: ExportedRun }) {
  const [view, setView] = useState(firstView);
  const { drawing, ...data } = run;
  return (
    <RunPage
      data={{ ...data, streams: new Map() }}
      view={view}
      onChange={(change) => setView((before) => ({ ...before, ...change }))}
      actions={<span className="muted">Exported, read-only</span>}
      graph={
        drawing === undefined
          ? undefined
          : () => (
              <section className="panel exported-graph" aria-label="Graph">
                <img src={drawing} alt={`The crew ${data.crew} and the way of this run`} />
              </section>
            )
      }
    />
  );
}

const place = document.getElementById("studio");
const text = document.getElementById("run")?.textContent;
if (place !== null && text !== undefined && text !== null)
  createRoot(place).render(<ExportedPage run={JSON.parse(text) as ExportedRun} />);
