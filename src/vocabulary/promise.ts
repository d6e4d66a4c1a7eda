/** Whether a value must be waited for. `await` on a value that is there already would still cost a turn of the event loop. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

/** Passes a value on: at once if it is there, else when it comes. */
export function whenReady<Value, Next>(
  value: Promise<Value> | Value,
  next: (value: Value) => Promise<Next> | Next,
): Promise<Next> | Next {
  return isPromise(value) ? value.then(next) : next(value);
}
