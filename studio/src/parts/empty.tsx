import type { ReactNode } from "react";
import { Command } from "./command.tsx";

/** What a view shows while it has nothing: why, and what to do next. */
export function Empty({
  title,
  children,
  command,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly command?: string | undefined;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
      {command !== undefined && <Command text={command} />}
    </div>
  );
}
