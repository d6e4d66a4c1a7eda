import type { Failure } from "../vocabulary/events.ts";

/** Something that waits inside a scope and must be told when the scope is closed, and by which limit if one closed it. */
interface Closable {
  close(reason: string, limit?: Failure): void;
  /** Releases timers and the like without recording anything: the run stops in this process, and may continue in another one. */
  dispose?(): void;
}

/** Thrown to whoever waits in a scope that is closed. */
export class ScopeClosed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ScopeClosed";
  }
}

/** A part of a run that ends as a whole: the run itself, a branch of a group, a call of another agent. */
export class Scope {
  /** Few, and mostly the newest is the first to leave: a list is quicker than a set. */
  readonly #inside: Closable[] = [];
  readonly #parent: Scope | undefined;
  #reason: string | undefined;
  #limit: Failure | undefined;

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  get isClosed(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): string {
    return this.#reason ?? "";
  }

  throwIfClosed(): void {
    if (this.#reason !== undefined) throw new ScopeClosed(this.#reason);
  }

  open(): Scope {
    const child = new Scope(this);
    this.add(child);
    return child;
  }

  /** What is added to a closed scope is closed at once. */
  add(closable: Closable): void {
    if (this.#reason === undefined) this.#inside.push(closable);
    else closable.close(this.#reason, this.#limit);
  }

  remove(closable: Closable): void {
    const inside = this.#inside;
    if (inside.at(-1) === closable) inside.pop();
    else if (inside.includes(closable)) inside.splice(inside.lastIndexOf(closable), 1);
  }

  /** Ends everything inside, innermost first; what comes later is refused. */
  close(reason: string, limit?: Failure): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#limit = limit;
    this.#parent?.remove(this);
    for (const closable of this.#inside.splice(0).reverse()) closable.close(reason, limit);
  }

  dispose(): void {
    for (const closable of this.#inside.slice()) closable.dispose?.();
  }
}
