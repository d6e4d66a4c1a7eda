let lastTs = Number.NaN;
let lastText = "";

/** A time as ISO text. The last one is kept: events come in bursts, and writing a time costs more than all else about them. */
export function formatIsoTime(ts: number): string {
  if (ts !== lastTs) {
    lastText = new Date(ts).toISOString();
    lastTs = ts;
  }
  return lastText;
}
