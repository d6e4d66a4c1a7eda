import { useEffect } from "react";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { isTyping } from "../shell/use-shortcuts.ts";
import type { RunView } from "./run-state.ts";

/** j and k walk through the events, [ and ] through time. */
export function useRunKeys(
  events: readonly BatonEvent[],
  view: RunView,
  onChange: (change: Partial<RunView>) => void,
): void {
  useEffect(() => {
    const last = events.at(-1)?.seq ?? 0;
    const clamp = (seq: number) => Math.min(last, Math.max(events[0]?.seq ?? 0, seq));
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const step = { j: 1, k: -1 }[event.key];
      const move = { "]": 1, "[": -1 }[event.key];
      if (step !== undefined) onChange({ chosen: clamp((view.chosen ?? (step > 0 ? -1 : last + 1)) + step) });
      if (move === undefined) return;
      const at = clamp((view.at ?? last) + move);
      onChange({ at: at >= last ? undefined : at });
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [events, view, onChange]);
}
