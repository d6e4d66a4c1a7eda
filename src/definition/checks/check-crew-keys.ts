import type { CrewParts } from "../crew-parts.ts";
import { placeOfKey } from "../locate.ts";
import { checkAgents } from "./check-agents.ts";
import { checkBindingKeys } from "./check-binding-keys.ts";
import { checkCalls } from "./check-calls.ts";
import { checkDefinitions } from "./check-definitions.ts";
import { checkEntry } from "./check-entry.ts";
import { checkExternal } from "./check-external.ts";
import { checkForEach } from "./check-for-each.ts";
import { checkFormats } from "./check-formats.ts";
import { checkFunctions } from "./check-functions.ts";
import { checkGuards } from "./check-guards.ts";
import { checkLimits } from "./check-limits.ts";
import { checkPatterns } from "./check-patterns.ts";
import { checkPauseTimeouts } from "./check-pause-timeouts.ts";
import { checkReferences } from "./check-references.ts";
import { checkRouting } from "./check-routing.ts";
import { checkSignals } from "./check-signals.ts";
import { checkTools } from "./check-tools.ts";
import { checkUnbound } from "./check-unbound.ts";

/** Every check that needs one crew's files only. */
export function checkCrewKeys(parts: CrewParts): void {
  checkEntry(parts);
  checkRouting(parts);
  checkCalls(parts);
  checkBindingKeys(parts);
  checkAgents(parts);
  checkReferences(parts);
  checkDefinitions(parts);
  checkSignals(parts);
  checkUnbound(parts);
  checkPatterns(parts);
  checkCompose(parts);
  checkFormats(parts);
  checkForEach(parts);
  checkFunctions(parts);
  checkGuards(parts);
  checkTools(parts);
  checkLimits(parts);
  checkPauseTimeouts(parts);
  checkExternal(parts);
}

/** Whoever composes crews chooses among all agents of its own: there must be some, and each must say what it does. */
function checkCompose({ directory, crewFile }: CrewParts): void {
  const agents = [...directory.files.values()];
  for (const composer of agents.filter(({ keys }) => keys.compose)) {
    const others = agents.filter(({ id }) => id !== composer.id);
    const place = placeOfKey(composer, ["compose"]);
    if (others.length === 0) {
      const message = `agent '${composer.id}' has 'compose', but there is no other agent to compose a crew of`;
      crewFile.reporter.report("bad-pattern", place, message);
    }
    for (const { id, keys } of others) {
      if ((keys.description?.trim() ?? "") !== "") continue;
      const message = `agent '${id}' needs a 'description': agent '${composer.id}' may compose it into a crew`;
      crewFile.reporter.report("missing-description", place, message);
    }
  }
}
