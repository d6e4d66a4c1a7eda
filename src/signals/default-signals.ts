import type { SignalDefinition } from "./signal-definition.ts";
import { createSignalRegistry, type SignalRegistry } from "./signal-registry.ts";

/** The built-in signals. A crew's `signals:` section may redefine any of them. */
export const builtInSignals: readonly SignalDefinition[] = [
  { name: "[STOP]", behavior: "terminate", priority: 110, description: "Stops the run at once" },
  { name: "[END]", behavior: "terminate", priority: 100, description: "Ends the run" },
  { name: "[END_EXAM]", behavior: "terminate", priority: 100, description: "Ends the exam" },
  { name: "[DONE]", behavior: "terminate", priority: 100, description: "The task is complete" },
  { name: "[NEXT]", behavior: "route", priority: 50, description: "Routes to the next agent of the list" },
  { name: "[QUESTION]", behavior: "route", priority: 50, description: "Routes to whoever handles questions" },
  { name: "[ANSWER]", behavior: "route", priority: 50, description: "Routes to whoever handles answers" },
  { name: "[ERROR]", behavior: "status", priority: 90, description: "Something went wrong" },
  { name: "[RETRY]", behavior: "status", priority: 70, description: "Asks to try again" },
  { name: "[OK]", behavior: "status", priority: 30, description: "Acknowledges" },
  { name: "[WAIT]", behavior: "pause", priority: 80, description: "Pauses for input" },
];

/** Creates a new registry with the built-in signals. */
export function createDefaultSignals(): SignalRegistry {
  return createSignalRegistry(builtInSignals);
}
