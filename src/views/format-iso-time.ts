let lastTs = Number.NaN;
let lastText = "";

/**
 * Formats a time as ISO text. The last result is cached: events come in bursts, and formatting a time costs more than the rest
 * of an event.
 */
export function formatIsoTime(ts: number): string {
  if (ts !== lastTs) {
    lastText = new Date(ts).toISOString();
    lastTs = ts;
  }
  return lastText;
}
