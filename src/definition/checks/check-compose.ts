import type { CrewParts } from "../crew-parts.ts";
import { placeOfKey } from "../locate.ts";

/** Whoever composes crews chooses among all agents of its own: there must be some, and each must say what it does. */
export function checkCompose({ directory, crewFile }: CrewParts): void {
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
