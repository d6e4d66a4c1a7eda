import { useEffect, useRef } from "react";

const keys: readonly (readonly [string, string])[] = [
  ["⌘K or Ctrl+K", "find a page, crew, agent or run"],
  ["?", "show these keys"],
  ["g r", "go to the runs"],
  ["g i", "go to the inbox"],
  ["g c", "go to the crews"],
  ["g s", "go to what happened over time"],
  ["j and k", "on a run: the next and the previous event"],
  ["[ and ]", "on a run: one event back and forth in time"],
  ["/", "search the page's list"],
  ["Esc", "close what is open"],
];

/** The keys of the studio. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="key-help" onClose={onClose}>
      <div className="body stack">
        <h2 id="key-help">Keys</h2>
        <dl className="facts">
          {keys.map(([key, meaning]) => (
            <div key={key} style={{ display: "contents" }}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit" className="button">
            Close
          </button>
        </form>
      </div>
    </dialog>
  );
}
