import { describe, expect, it } from "vitest";
import { linkTo, parseRoute } from "./parse-route.ts";

describe("the address of a page", () => {
  it.each([
    ["/studio/", { page: "runs" }],
    ["/studio/runs/run_1", { page: "run", runId: "run_1" }],
    ["/studio/runs/run_1/fork/12", { page: "fork", runId: "run_1", at: 12 }],
    ["/studio/compare/run_1/run_2", { page: "compare", a: "run_1", b: "run_2" }],
    ["/studio/crews/it%20desk", { page: "crew", crew: "it desk", tab: "graph" }],
    ["/studio/crews/desk/plan", { page: "crew", crew: "desk", tab: "plan" }],
    ["/studio/crews/desk/chat/c1", { page: "chat", crew: "desk", conversation: "c1" }],
    ["/studio/%zz", { page: "unknown", path: "/studio/%zz" }],
    ["/studio/runs/run_1/fork/x", { page: "unknown", path: "/studio/runs/run_1/fork/x" }],
  ])("names one page: %s", (path, route) => {
    expect(parseRoute(path)).toEqual(route);
  });

  it("keeps names with slashes and spaces whole", () => {
    expect(parseRoute(linkTo("crews", "a/b c", "run"))).toEqual({ page: "crew", crew: "a/b c", tab: "run" });
  });
});
