const { setInterval: begin, clearInterval: clear } = globalThis;

/** Intervals of the program that were begun and not cleared, with who began them. Modules outlive test files, so this is one list for all. */
export const openIntervals = new Map<unknown, string>();

globalThis.setInterval = Object.assign((...given: Parameters<typeof begin>) => {
  const interval = begin(...given);
  const { stack = "" } = new Error("begun here");
  if (/\/src\/(?!.*\.test\.)/.test(stack)) openIntervals.set(interval, stack);
  return interval;
}, begin);

globalThis.clearInterval = (interval) => {
  openIntervals.delete(interval);
  clear(interval);
};
