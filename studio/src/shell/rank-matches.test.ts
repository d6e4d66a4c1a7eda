import { expect, it } from "vitest";
import { rankMatches } from "./rank-matches.ts";

const items = ["support-desk", "desk lamps", "quiz", "run_desk"].map((title) => ({ title, kind: "crew", href: title }));

it("what begins with the typed words comes first, then what has a word that does", () => {
  expect(rankMatches("desk", items).map(({ title }) => title)).toEqual(["desk lamps", "support-desk", "run_desk"]);
});

it("every word must be there, in the name or in the kind", () => {
  expect(rankMatches("quiz crew", items).map(({ title }) => title)).toEqual(["quiz"]);
  expect(rankMatches("quiz desk", items)).toEqual([]);
  expect(rankMatches("", items)).toHaveLength(4);
});
