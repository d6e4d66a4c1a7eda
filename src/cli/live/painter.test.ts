import { expect, it } from "vitest";
import { createPainter } from "./painter.ts";

function paintOn(columns: number) {
  const writes: string[] = [];
  const screen = { columns, write: (text: string) => void writes.push(text.replaceAll("\u001b[", "^")) };
  return { painter: createPainter(screen), screen, writes };
}

it("writes what stays once, and the region anew below it, each frame in one go", () => {
  const { painter, writes } = paintOn(80);
  painter.paint(["done"], ["at work", "foot"]);
  painter.paint([], ["at work", "foot 2"]);
  painter.paint([], ["at work", "foot 2"]);
  painter.paint(["more"], []);
  expect(writes).toEqual([
    "^?2026h\r^2Kdone\r\n^?7l^2Kat work\r\n^2Kfoot^J^?7h^?2026l",
    "^?2026h\r^1A^?7l^2Kat work\r\n^2Kfoot 2^J^?7h^?2026l",
    "^?2026h\r^1A^2Kmore\r\n^?7l^J^?7h^?2026l",
  ]);
});

it("finds its way back up after the terminal became narrower, and broke its lines", () => {
  const { painter, screen, writes } = paintOn(80);
  painter.paint([], ["x".repeat(79), "short", "y".repeat(45)]);
  screen.columns = 40;
  painter.paint([], ["a", "b", "c"]);
  expect(writes.at(-1)).toBe("^?2026h\r^4A^?7l^2Ka\r\n^2Kb\r\n^2Kc^J^?7h^?2026l");
});
