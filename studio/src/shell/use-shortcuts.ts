import { useEffect, useRef } from "react";
import { linkTo } from "../router/parse-route.ts";
import { navigate } from "../router/use-location.ts";

const places: Readonly<Record<string, string>> = { r: "runs", i: "inbox", c: "crews", s: "stats" };
/** How long the second key of a pair may take. */
const PAIR_MS = 3_000;

/** Keys that work on every page, unless somebody is typing. */
export function useShortcuts(open: (what: "palette" | "keys") => void): void {
  const lastG = useRef(0);
  useEffect(() => {
    const act: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
      "?": () => open("keys"),
      "/": focusSearch,
      g: ({ timeStamp }) => {
        lastG.current = timeStamp;
      },
    };
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey) return openPalette(event, open);
      if (event.altKey || isTyping(event.target)) return;
      const place = places[event.key];
      if (place !== undefined && event.timeStamp - lastG.current < PAIR_MS) navigate(linkTo(place));
      act[event.key]?.(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [open]);
}

function openPalette(event: KeyboardEvent, open: (what: "palette") => void): void {
  if (event.key.toLowerCase() !== "k") return;
  event.preventDefault();
  open("palette");
}

/** Whether a key belongs to a field, an editor or an open dialog. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, dialog, .editor") !== null;
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}
