import { describeThrown } from "../../vocabulary/errors.ts";

/** Does something again and again, one after the other, until the returned function is called. What fails is noted. */
export function keepDoing(
  go: (signal: AbortSignal) => Promise<void>,
  everyMs: number,
  note: (message: string) => void,
): () => void {
  const ending = new AbortController();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void go(ending.signal)
      .catch((error: unknown) => note(`this worker tries again: ${describeThrown(error)}`))
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}
