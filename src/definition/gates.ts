import type { CrewFile } from "./crew-files.ts";

interface BehaviorKeys {
  readonly auto_route: boolean;
}

/** Whether an agent's moves wait for a human. In 1.0 files nothing waits: nobody ever read the key where they come from. */
export function isGate(keys: BehaviorKeys | undefined, crewFile: CrewFile): boolean {
  return keys?.auto_route === false && crewFile.keys.version !== "1.0";
}
