import { api, type DayFigures } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Empty } from "../parts/empty.tsx";
import { formatCount, formatMs, formatUsd } from "../parts/format.ts";
import { Loaded } from "../parts/loaded.tsx";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";
import { navigate, useLocation } from "../router/use-location.ts";
import { useMay } from "../shell/session-context.ts";
import { BarChart } from "./bar-chart.tsx";
import { type DaySum, sumDays } from "./sum-days.ts";

const DAYS = 60;

/** Runs, cost, failures and time by day, of all crews or of one. */
export function StatsPage() {
  const mayRead = useMay("admin");
  const days = useResource("days", () => api.days(DAYS));
  return (
    <div className="page">
      <header>
        <h1>Over time</h1>
      </header>
      {mayRead ? (
        <Loaded resource={days}>{(found) => <Days figures={found.groups} />}</Loaded>
      ) : (
        <Empty title="Statistics of all crews need the scope admin" />
      )}
    </div>
  );
}

function Days({ figures }: { readonly figures: readonly DayFigures[] }) {
  const { params } = useLocation();
  const crew = params.get("crew") ?? undefined;
  const crews = [...new Set(figures.map((each) => each.crew))].sort();
  if (figures.length === 0)
    return (
      <Empty title="No runs in the last 60 days">
        <p>Every run of the crews that the studio shows is counted here.</p>
      </Empty>
    );
  const days = sumDays(figures, crew);
  const choose = (name: string) =>
    navigate(name === "" ? linkTo("stats") : `${linkTo("stats")}?crew=${encodeURIComponent(name)}`);
  return (
    <>
      <label className="row">
        <span className="muted">Crew</span>
        <select className="input narrow" value={crew ?? ""} onChange={({ target }) => choose(target.value)}>
          <option value="">all</option>
          {crews.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <div className="cards">
        <Chart days={days} title="Runs" read={({ runs }) => runs} format={formatCount} />
        <Chart days={days} title="Cost" read={({ usd }) => usd} format={formatUsd} />
        <Chart days={days} title="Failed runs" read={({ failed }) => failed} format={formatCount} />
        <Chart days={days} title="Median time of a run" read={({ ms }) => ms} format={formatMs} />
      </div>
      <section className="panel scroll-x" aria-label="Crews">
        <CrewTable figures={figures} crews={crews} />
      </section>
    </>
  );
}

function Chart({
  days,
  title,
  read,
  format,
}: {
  readonly days: readonly DaySum[];
  readonly title: string;
  readonly read: (day: DaySum) => number;
  readonly format: (value: number) => string;
}) {
  const bars = days.map((day) => ({ label: day.day, value: read(day), words: format(read(day)) }));
  return <BarChart title={title} bars={bars} />;
}

function CrewTable({ figures, crews }: { readonly figures: readonly DayFigures[]; readonly crews: readonly string[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Crew</th>
          <th className="number">Runs</th>
          <th className="number">Failed</th>
          <th className="number">Cost</th>
          <th className="number">Cost of a run</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {crews.map((name) => {
          const days = sumDays(figures, name);
          const runs = days.reduce((total, day) => total + day.runs, 0);
          const failed = days.reduce((total, day) => total + day.failed, 0);
          const usd = days.reduce((total, day) => total + day.usd, 0);
          return (
            <tr key={name}>
              <td>
                <Link href={linkTo("crews", name, "stats")}>{name}</Link>
              </td>
              <td className="number">{runs}</td>
              <td className="number">
                <Link href={`${linkTo("runs")}?crew=${encodeURIComponent(name)}&status=failed`}>{failed}</Link>
              </td>
              <td className="number">{formatUsd(usd)}</td>
              <td className="number">{formatUsd(usd / runs)}</td>
              <td>
                <Link href={`${linkTo("runs")}?crew=${encodeURIComponent(name)}`}>runs</Link>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
