import { Link } from "../router/link.tsx";
import { linkTo, type Route } from "../router/parse-route.ts";

const places = [
  { page: "runs", title: "Runs", sign: "▤" },
  { page: "inbox", title: "Inbox", sign: "✉" },
  { page: "crews", title: "Crews", sign: "◇" },
  { page: "stats", title: "Over time", sign: "◔" },
] as const;

const within: Readonly<Record<string, string>> = {
  run: "runs",
  fork: "runs",
  compare: "runs",
  crew: "crews",
  chat: "crews",
};

/** Where one can go. The number beside the inbox counts the runs that wait for an answer. */
export function SideBar({ route, waiting }: { readonly route: Route; readonly waiting: number }) {
  const current = within[route.page] ?? route.page;
  return (
    <nav className="side" aria-label="Studio">
      <Link className="brand" href={linkTo("runs")}>
        <Logo />
        Baton studio
      </Link>
      {places.map(({ page, title, sign }) => (
        <Link key={page} className="nav" href={linkTo(page)} aria-current={page === current ? "page" : undefined}>
          <span aria-hidden="true">{sign}</span>
          {title}
          {page === "inbox" && waiting > 0 && <span className="count">{waiting}</span>}
        </Link>
      ))}
      <div className="foot">
        <kbd>?</kbd> keys · <kbd>⌘K</kbd> find
      </div>
    </nav>
  );
}

function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 23 23 9" stroke="var(--on-accent)" strokeWidth="5" strokeLinecap="round" />
      <circle cx="9" cy="23" r="2" fill="var(--wait)" />
    </svg>
  );
}
