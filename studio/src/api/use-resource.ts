import { useCallback, useEffect, useState } from "react";

export type Resource<Value> =
  | { readonly state: "loading"; readonly value?: undefined }
  | { readonly state: "ready"; readonly value: Value }
  | { readonly state: "failed"; readonly error: Error; readonly value?: undefined };

/** Loads something when `key` changes; `reload` loads it again and shows the old value until then. */
export function useResource<Value>(key: string, load: () => Promise<Value>): Resource<Value> & { reload: () => void } {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly resource: Resource<Value> }>();
  const [version, setVersion] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says when `load` means something else.
  useEffect(() => {
    let isCurrent = true;
    const settle = (resource: Resource<Value>) => isCurrent && setLoaded({ key, resource });
    load().then(
      (value) => settle({ state: "ready", value }),
      (error: Error) => settle({ state: "failed", error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, version]);
  const reload = useCallback(() => setVersion((before) => before + 1), []);
  const resource: Resource<Value> = loaded?.key === key ? loaded.resource : { state: "loading" };
  return { ...resource, reload };
}
