interface ChartBar {
  readonly label: string;
  readonly value: number;
  /** The value as people read it. */
  readonly words: string;
}

const WIDTH = 320;
const HEIGHT = 96;
const GAP = 2;

/** Bars over days. A table with the same figures is read out, and is shown by the browser's tools for those who ask. */
export function BarChart({ title, bars }: { readonly title: string; readonly bars: readonly ChartBar[] }) {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  const top = bars.find(({ value }) => value === most)?.words ?? "";
  const width = WIDTH / Math.max(1, bars.length);
  return (
    <figure className="panel chart">
      <figcaption className="row">
        <h2>{title}</h2>
        <span className="muted end">at most {top} a day</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title} by day; at most ${top}`}>
        {bars.map(({ label, value, words }, index) => {
          const height = most === 0 ? 0 : Math.max(value === 0 ? 0 : 2, (value / most) * HEIGHT);
          const place = { x: index * width + GAP / 2, y: HEIGHT - height, width: Math.min(28, width - GAP), height };
          return (
            <rect key={label} {...place} rx={2}>
              <title>{`${label}: ${words}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="row muted">
        <span>{bars[0]?.label}</span>
        <span className="end">{bars.at(-1)?.label}</span>
      </div>
    </figure>
  );
}
