import type { ReactNode } from "react";
import type { Resource } from "../api/use-resource.ts";
import { Empty } from "./empty.tsx";

/** Shows what was loaded, or that it is loading, or why it could not be. */
export function Loaded<Value>({
  resource,
  loading = "Loading…",
  children,
}: {
  readonly resource: Resource<Value>;
  readonly loading?: string;
  readonly children: (value: Value) => ReactNode;
}) {
  if (resource.state === "loading")
    return (
      <p className="muted" role="status">
        {loading}
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
