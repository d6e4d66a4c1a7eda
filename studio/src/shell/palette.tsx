import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { linkTo } from "../router/parse-route.ts";
import { navigate } from "../router/use-location.ts";
import { type Findable, rankMatches } from "./rank-matches.ts";

const pages: readonly Findable[] = [
  { title: "Runs", kind: "page", href: linkTo("runs") },
  { title: "Inbox", kind: "page", href: linkTo("inbox") },
  { title: "Crews", kind: "page", href: linkTo("crews") },
  { title: "Over time", kind: "page", href: linkTo("stats") },
];

/** Finds a page, a crew, an agent, a command or a run by typing part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = useResource("palette", listFindables);
  const matches = useMemo(() => rankMatches(typed, [...pages, ...(found.value ?? [])]), [typed, found.value]);
  useEffect(() => dialog.current?.showModal(), []);
  const go = (item: Findable | undefined) => {
    if (item === undefined) return;
    onClose();
    navigate(item.href);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") go(matches[at]);
    if (step === 0) return;
    event.preventDefault();
    setAt((before) => (before + step + matches.length) % Math.max(1, matches.length));
  };
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Find" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at}`}
        aria-label="Find a page, crew, agent or run"
        placeholder="Find a page, crew, agent or run…"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id="palette-list" role="listbox" aria-label="Found">
        {matches.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys.
          <div
            key={item.href}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => go(item)}
          >
            <span className="cut grow">{item.title}</span>
            <span className="muted">{item.kind}</span>
          </div>
        ))}
        {matches.length === 0 && <p className="muted">Nothing has this name.</p>}
      </div>
    </dialog>
  );
}

const NEWEST = new URLSearchParams({ limit: "100" });

async function listFindables(): Promise<readonly Findable[]> {
  const [{ crews }, { runs }] = await Promise.all([api.crews(), api.runs(NEWEST)]);
  return [
    ...crews.flatMap(({ name, agents }) => [
      { title: name, kind: "crew", href: linkTo("crews", name) },
      { title: `Run ${name}`, kind: "command", href: linkTo("crews", name, "run") },
      { title: `Chat with ${name}`, kind: "command", href: linkTo("crews", name, "chat") },
      { title: `Edit ${name}`, kind: "command", href: linkTo("crews", name, "files") },
      { title: `Plan of ${name}`, kind: "command", href: linkTo("crews", name, "plan") },
      ...agents.map(({ id }) => ({
        title: `${id} in ${name}`,
        kind: "agent",
        href: `${linkTo("crews", name)}?agent=${encodeURIComponent(id)}`,
      })),
    ]),
    ...runs.map(({ runId, crew, input = "" }) => ({
      title: `${input.slice(0, 60)} · ${crew} · ${runId}`,
      kind: "run",
      href: linkTo("runs", runId),
    })),
  ];
}
