import { Link } from "../router/link.tsx";
import { linkTo, type Route } from "../router/parse-route.ts";
import { Logo } from "./logo.tsx";

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
export function SideBar({
  route,
  waiting,
  onOpen,
}: {
  readonly route: Route;
  readonly waiting: number;
  readonly onOpen: (what: "palette" | "keys") => void;
}) {
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
        <button type="button" className="button plain" onClick={() => onOpen("palette")}>
          <kbd>⌘K</kbd> find
        </button>
        <button type="button" className="button plain" onClick={() => onOpen("keys")}>
          <kbd>?</kbd> keys
        </button>
      </div>
    </nav>
  );
}
