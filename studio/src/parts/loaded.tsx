import type { ReactNode } from "react";
import type { Resource } from "../api/use-resource.ts";
import { Empty } from "./empty.tsx";

/** Shows what was loaded, or that it is loading, or why it could not be. */
export function Loaded<Value>({
  resource,
  children,
}: {
  readonly resource: Resource<Value>;
  readonly children: (value: Value) => ReactNode;
}) {
  if (resource.state === "loading")
    return (
      <p className="muted" role="status">
        Loading…
      </p>
    );
  if (resource.state === "failed") {
    return (
      <Empty title="This could not be loaded">
        <p>{resource.error.message}</p>
      </Empty>
    );
  }
  return children(resource.value);
}
