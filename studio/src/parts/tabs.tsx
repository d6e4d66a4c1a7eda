import type { KeyboardEvent } from "react";

/** Tabs by the pattern of WAI-ARIA: arrow keys move between them. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly title: string; readonly count?: number | undefined }[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}) {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const index = tabs.findIndex(({ name }) => name === chosen);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChoose(next.name);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, title, count }) => (
        <button
          key={name}
          type="button"
          role="tab"
          data-tab={name}
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {title}
          {count !== undefined && <span className="muted"> {count}</span>}
        </button>
      ))}
    </div>
  );
}
