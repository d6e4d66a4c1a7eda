import type { CrewParts } from "../crew-parts.ts";
import { checkAgents } from "./check-agents.ts";
import { checkCalls } from "./check-calls.ts";
import { checkLimits } from "./check-limits.ts";
import { checkPatterns } from "./check-patterns.ts";
import { checkReferences } from "./check-references.ts";
import { checkRouting } from "./check-routing.ts";
import { checkSignals } from "./check-signals.ts";
import { checkTools } from "./check-tools.ts";

/** Every check that needs one crew's files only. */
export function checkCrew(parts: CrewParts): void {
  checkRouting(parts);
  checkCalls(parts);
  checkAgents(parts);
  checkReferences(parts);
  checkSignals(parts);
  checkPatterns(parts);
  checkTools(parts);
  checkLimits(parts);
}
