/** Whether a value must be awaited. Awaiting an available value would still cost a turn of the event loop. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

/** Passes a value on: at once if it is available, or else when it resolves. */
export function whenReady<Value, Next>(
  value: Promise<Value> | Value,
  next: (value: Value) => Promise<Next> | Next,
): Promise<Next> | Next {
  return isPromise(value) ? value.then(next) : next(value);
}
