import type { Page } from "playwright-core";

/** A view that pictures are made of. */
interface ShownView {
  readonly name: string;
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Every view of the studio, with the runs that show it best. */
export function shownViews(runs: Readonly<Record<"desk" | "around" | "quiz" | "team" | "teams", string>>): ShownView[] {
  return [
    { name: "runs", path: "/studio/" },
    { name: "run-desk", path: `/studio/runs/${runs.desk}` },
    { name: "run-team", path: `/studio/runs/${runs.team}?tab=events` },
    { name: "run-call", path: `/studio/runs/${runs.desk}?event=5` },
    { name: "run-teams", path: `/studio/runs/${runs.teams}?tab=tree` },
    { name: "compare", path: `/studio/compare/${runs.desk}/${runs.around}` },
    { name: "fork", path: `/studio/runs/${runs.desk}/fork/8` },
    { name: "inbox", path: "/studio/inbox" },
    { name: "crews", path: "/studio/crews" },
    { name: "crew", path: "/studio/crews/support-desk" },
    { name: "files", path: "/studio/crews/support-desk/files" },
    { name: "plan", path: "/studio/crews/support-desk/plan" },
    { name: "coverage", path: "/studio/crews/support-desk/coverage" },
    { name: "traffic", path: "/studio/crews/support-desk/stats" },
    { name: "stats", path: "/studio/stats" },
    { name: "chat", path: "/studio/crews/quiz/chat" },
    { name: "start", path: "/studio/crews/support-desk/run" },
  ];
}
