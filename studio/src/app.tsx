import { useEffect, useState } from "react";
import { api, type RunRow } from "./api/studio-api.ts";
import { useResource } from "./api/use-resource.ts";
import { ChatPage } from "./chat/chat-page.tsx";
import { ComparePage } from "./compare/compare-page.tsx";
import { CrewListPage } from "./crews/crew-list-page.tsx";
import { CrewPage } from "./crews/crew-page.tsx";
import { InboxPage } from "./inbox/inbox-page.tsx";
import { RunListPage } from "./lists/run-list-page.tsx";
import { ForkPage } from "./live/fork-page.tsx";
import { Empty } from "./parts/empty.tsx";
import { parseRoute } from "./router/parse-route.ts";
import { useLocation } from "./router/use-location.ts";
import { LiveRunPage } from "./run/live-run-page.tsx";
import { KeyHelp } from "./shell/key-help.tsx";
import { Palette } from "./shell/palette.tsx";
import { SideBar } from "./shell/side-bar.tsx";
import { useShortcuts } from "./shell/use-shortcuts.ts";
import { StatsPage } from "./stats/stats-page.tsx";

const INBOX_MS = 5_000;

/** The whole studio: where one is, and what waits for an answer. */
export function App() {
  const { path } = useLocation();
  const route = parseRoute(path);
  const waiting = useResource<readonly RunRow[]>("inbox", async () => (await api.inbox()).runs);
  const { reload } = waiting;
  const count = waiting.value?.length ?? 0;
  useEffect(() => {
    const timer = setInterval(reload, INBOX_MS);
    return () => clearInterval(timer);
  }, [reload]);
  useEffect(() => {
    document.title = count === 0 ? "Baton studio" : `(${count}) Baton studio`;
  }, [count]);
  const [open, setOpen] = useState<"palette" | "keys">();
  useShortcuts(setOpen);
  const close = () => setOpen(undefined);
  return (
    <div className="shell">
      <SideBar route={route} waiting={count} onOpen={setOpen} />
      <main className="main" id="main">
        {renderPage(route, waiting, reload)}
      </main>
      {open === "palette" && <Palette onClose={close} />}
      {open === "keys" && <KeyHelp onClose={close} />}
    </div>
  );
}

function renderPage(
  route: ReturnType<typeof parseRoute>,
  waiting: Parameters<typeof InboxPage>[0]["waiting"],
  reload: () => void,
) {
  switch (route.page) {
    case "runs":
      return <RunListPage />;
    case "run":
      return <LiveRunPage key={route.runId} runId={route.runId} />;
    case "fork":
      return <ForkPage runId={route.runId} at={route.at} />;
    case "compare":
      return <ComparePage a={route.a} b={route.b} />;
    case "inbox":
      return <InboxPage waiting={waiting} onAnswered={reload} />;
    case "crews":
      return <CrewListPage />;
    case "crew":
      return <CrewPage key={route.crew} name={route.crew} tab={route.tab} />;
    case "chat":
      return (
        <ChatPage key={`${route.crew} ${route.conversation}`} crew={route.crew} conversation={route.conversation} />
      );
    case "stats":
      return <StatsPage />;
    case "unknown":
      return <Empty title="There is no such page" />;
  }
}
