import type { EventOf } from "../vocabulary/events.ts";
import { formatAmount } from "../vocabulary/wording.ts";

type AsideType = "memory.recalled" | "guard.passed" | "guard.tripped" | "text.retracted" | "todo.set";

type Aside = { [Type in AsideType]: EventOf<Type> }[AsideType];

/** What a transcript notes of what happens beside the conversation; nothing of guards that let a text pass. */
export function describeAside(event: Aside): string[] {
  switch (event.type) {
    case "memory.recalled":
      return [event.data.problem ?? `recalled ${formatAmount(event.data.entries.length, "memory", "memories")}`];
    case "guard.passed":
      return [];
    case "guard.tripped":
      return [`guard '${event.data.guard}' tripped (${event.data.action}): ${event.data.reason}`];
    case "text.retracted":
      return [`text was retracted: ${event.data.reason}`];
    case "todo.set":
      return [`plan: ${formatAmount(event.data.items.length, "item")}`];
  }
}
