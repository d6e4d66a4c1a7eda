/** `2026-11-03 14:05:07`, in the time of the place. */
export function formatDate(ts: number): string {
  const date = new Date(ts);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

/** What of a date is not the same now: `14:05:07` today, `11-03 14:05` this year, `2025-11-03` before. */
export function formatShortDate(ts: number, now: number): string {
  const [date, today] = [formatDate(ts), formatDate(now)];
  if (date.slice(0, 10) === today.slice(0, 10)) return date.slice(11);
  return date.slice(0, 4) === today.slice(0, 4) ? date.slice(5, 16) : date.slice(0, 10);
}
