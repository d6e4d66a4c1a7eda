import { existsSync } from "node:fs";
import { locateDefinition } from "../definition/load-definition.ts";
import type { Position } from "../definition/locate-key.ts";
import { type Diagnosis, diagnose } from "../diagnosis/diagnose.ts";
import type { CrewKey, Finding } from "../diagnosis/finding.ts";
import { findSubCrew } from "../diagnosis/scene.ts";
import type { Store } from "../journal/store.ts";
import { copyCrew, readCrewCopy } from "../run-storage/crew-copy.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";

/** A finding with its place in the crew's files, where those are as they were in the run. */
export interface PlacedFinding extends Finding {
  readonly place?: Position;
}

/** A diagnosis, and how the crew's files stand to the run. */
export interface RunDiagnosis extends Diagnosis {
  readonly files: "unchanged" | "changed" | "gone" | "unknown";
  readonly findings: readonly PlacedFinding[];
}

/** Diagnoses a stored run, and finds the lines of its crew's files that its findings are about. */
export async function diagnoseRun(
  events: readonly BatonEvent[],
  store: Pick<Store, "get">,
  workingDirectory: string,
): Promise<RunDiagnosis> {
  const [started] = events;
  const { source, fingerprint } = started?.type === "run.started" ? started.data : {};
  const kept = await readCrewCopy(store, fingerprint);
  const { files, locatePlace } = findPlaces(source, fingerprint, workingDirectory);
  const diagnosis = diagnose(events, kept);
  const findings = diagnosis.findings.map((finding) => {
    const place = locatePlace(finding.where);
    return { ...finding, ...(place !== undefined && { place }) };
  });
  return { ...diagnosis, files, findings };
}

interface Places {
  readonly files: RunDiagnosis["files"];
  locatePlace(key: CrewKey): Position | undefined;
}

/** Lines of a crew that has changed since would be lines of another crew. */
function findPlaces(source: string | undefined, fingerprint: string | undefined, workingDirectory: string): Places {
  const nowhere = () => undefined;
  if (source === undefined || fingerprint === undefined) return { files: "unknown", locatePlace: nowhere };
  if (!existsSync(source)) return { files: "gone", locatePlace: nowhere };
  const { crew, locatePlace } = locateDefinition(source, { workingDirectory });
  if (crew === undefined || copyCrew(crew).fingerprint !== fingerprint)
    return { files: "changed", locatePlace: nowhere };
  return { files: "unchanged", locatePlace: (key) => placeWithin(crew, key, locatePlace) };
}

function placeWithin(
  crew: Crew,
  key: CrewKey,
  locatePlace: ReturnType<typeof locateDefinition>["locatePlace"],
): Position | undefined {
  const within = findSubCrew(crew, key.crew);
  return within && locatePlace(within, key);
}
