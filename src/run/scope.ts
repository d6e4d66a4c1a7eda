/** Something that waits inside a scope and must be told when the scope is closed. */
interface Closable {
  close(reason: string): void;
  /** Lets go of timers and the like, without a word: the run stops here, and goes on elsewhere or not at all. */
  dispose?(): void;
}

/** A part of a run that ends as a whole: the run itself, a branch of a group, a call of another agent. */
export interface Scope {
  readonly isClosed: boolean;
  readonly reason: string;
  open(): Scope;
  add(closable: Closable): void;
  remove(closable: Closable): void;
  /** Ends everything inside, innermost first; what comes later is refused. */
  close(reason: string): void;
  dispose(): void;
}

/** Thrown to whoever waits in a scope that is closed. */
export class ScopeClosed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ScopeClosed";
  }
}

export function createScope(parent?: Scope): Scope {
  const inside = new Set<Closable>();
  let reason: string | undefined;
  const scope: Scope = {
    get isClosed() {
      return reason !== undefined;
    },
    get reason() {
      return reason ?? "";
    },
    open() {
      const child = createScope(scope);
      scope.add(child);
      return child;
    },
    // What comes to a scope that is closed is closed with it.
    add(closable) {
      if (reason === undefined) inside.add(closable);
      else closable.close(reason);
    },
    remove: (closable) => void inside.delete(closable),
    close(why) {
      if (reason !== undefined) return;
      reason = why;
      parent?.remove(scope);
      for (const closable of [...inside].reverse()) closable.close(why);
      inside.clear();
    },
    dispose() {
      for (const closable of inside) closable.dispose?.();
    },
  };
  return scope;
}
