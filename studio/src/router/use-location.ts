import { useMemo, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}

/** The address of the page, which changes with links, back and forward. */
export function useLocation(): { readonly path: string; readonly params: URLSearchParams } {
  const url = useSyncExternalStore(subscribe, () => location.pathname + location.search);
  return useMemo(() => {
    const [path = "", query = ""] = url.split("?");
    return { path, params: new URLSearchParams(query) };
  }, [url]);
}

export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  for (const listener of listeners) listener();
}
