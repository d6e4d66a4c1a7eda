import { describe, expect, it } from "vitest";
import { codeFrame } from "./code-frame.ts";
import { createSource } from "./source.ts";

/** The two lines of the frame around `marked`, which stands once in `text`. */
function frameOf(text: string, marked: string, label?: string): readonly [string, string] {
  const start = text.indexOf(marked);
  const [code = "", marks = ""] = codeFrame(
    createSource("f", text),
    { start, end: start + marked.length },
    label,
  ).split("\n");
  return [code, marks];
}

describe("a code frame", () => {
  it("shows the line with its number and underlines the place", () => {
    expect(frameOf("a: 1\nb: studnet\nc: 3", "studnet")).toEqual(["   2 | b: studnet", "     |    ^^^^^^^"]);
  });

  it("has room for long line numbers", () => {
    expect(frameOf(`${"\n".repeat(122)}key: x`, "key")).toEqual(["   123 | key: x", "       | ^^^"]);
  });

  it("puts the label behind the marks", () => {
    expect(frameOf("b: studnet", "studnet", "did you mean 'student'?")[1]).toBe(
      "     |    ^^^^^^^ did you mean 'student'?",
    );
  });

  it("marks one column where the place is empty", () => {
    expect(codeFrame(createSource("f", "ab"), { start: 1, end: 1 })).toBe("   1 | ab\n     |  ^");
    expect(codeFrame(createSource("f", ""), { start: 0, end: 0 })).toBe("   1 | \n     | ^");
    expect(codeFrame(createSource("f", "ab\n"), { start: 2, end: 2 })).toBe("   1 | ab\n     |   ^");
  });

  it("marks the first line of a place that goes on over several", () => {
    expect(frameOf("a: [1,\n  2]", "[1,\n  2]")).toEqual(["   1 | a: [1,", "     |    ^^^"]);
  });

  it("does not show the carriage return of a Windows line", () => {
    expect(frameOf("a: 1\r\nb: 2\r\n", "b")).toEqual(["   2 | b: 2", "     | ^"]);
  });

  it("keeps tabs as tabs, so that the marks line up however wide they are", () => {
    expect(frameOf("\tkey:\tvalue", "value")).toEqual(["   1 | \tkey:\tvalue", "     | \t    \t^^^^^"]);
  });
});

describe("a frame of wide and narrow characters", () => {
  it.each([
    ["名前: x", 6],
    ["이름: x", 6],
    ["😀: x", 4],
    ["ｆ: x", 4],
    ["tên: x", 5],
    ["tên: x".normalize("NFD"), 5],
    ["é\u0301\u0323: x", 3],
  ])("of %j puts the mark under the x", (text, columns) => {
    expect(frameOf(text, "x")[1]).toBe(`     | ${" ".repeat(columns)}^`);
  });

  it("marks wide characters over their whole width", () => {
    expect(frameOf("a: 日本", "日本")[1]).toBe("     |    ^^^^");
    expect(frameOf("a: tên".normalize("NFD"), "tên".normalize("NFD"))[1]).toBe("     |    ^^^");
  });
});

describe("a frame of a long line", () => {
  const long = `${"a".repeat(300)}HERE${"b".repeat(300)}`;

  it("shows the part around the place, cut on both sides", () => {
    const [code, marks] = frameOf(long, "HERE");
    expect(code).toMatch(/^ {3}1 \| …a+HEREb+…$/);
    expect(code.length).toBeLessThan(125);
    expect(marks.indexOf("^^^^")).toBe(code.indexOf("HERE"));
  });

  it("is cut on the right only at the start of the line, on the left only at its end", () => {
    expect(frameOf(long, "aaa")[0]).toMatch(/^ {3}1 \| a+…$/);
    const [code, marks] = frameOf(`${"a".repeat(300)}END`, "END");
    expect(code).toMatch(/^ {3}1 \| …a+END$/);
    expect(marks.indexOf("^^^")).toBe(code.indexOf("END"));
  });

  it("does not mark beyond what it shows", () => {
    const [code, marks] = frameOf("x".repeat(1000), "x".repeat(1000));
    expect(marks.length).toBeLessThanOrEqual(code.length);
  });
});

describe("a frame of control characters", () => {
  it.each(["\u001b[31m", "\u0000", "\u0008", "\u007f", "\u009b2J"])("replaces them: %j", (control) => {
    const [code, marks] = frameOf(`a${control}b: HERE`, "HERE");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(code + marks).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(marks.indexOf("^^^^")).toBe(code.indexOf("HERE"));
  });
});
