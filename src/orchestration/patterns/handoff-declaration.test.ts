import { describe, expect, it } from "vitest";
import { readDeclarations } from "./handoff-declaration.ts";

function declarationIn(text: string) {
  return readDeclarations(text)?.declarations[0];
}

describe("a declared handoff", () => {
  it.each([
    "HANDOFF DECLARATION:\nTo: azure\nReason: cloud\nContext: notes",
    "Handoff Declaration:\n\nTo: azure\n\nReason: cloud\n\nContext: notes",
    "**HANDOFF DECLARATION:**\n**To:** azure\n**Reason:** cloud\n**Context:** notes",
    "### HANDOFF DECLARATION\n- To: `azure`\n- Reason: cloud\n- Context: notes",
    "__HANDOFF DECLARATION__:\n* **To**: **azure**\n* **Reason**: cloud\n* **Context**: notes",
    "HANDOFF DECLARATION:\r\nTo: azure\r\nReason: cloud\r\nContext: notes\r\n",
    "HANDOFF DECLARATION:\nContext: notes\nReason: cloud\nTo: azure",
    "HANDOFF DECLARATION:\nTO: azure\nREASON: cloud\nCONTEXT:\nnotes",
    "🤝 HANDOFF DECLARATION:\nTo: azure\nReason: cloud\nContext: notes",
    "## 🔄️ **HANDOFF DECLARATION**\n1. **To**: azure\n2. **Reason**: cloud\n3. **Context**: notes",
    "HANDOFF DECLARATION：\n• To： azure\n• Reason： cloud\n• Context： notes",
  ])("may be written %j", (text) => {
    expect(declarationIn(text)).toEqual({ to: "azure", reason: "cloud", context: "notes" });
  });

  it("needs neither a reason nor a context", () => {
    expect(declarationIn("HANDOFF DECLARATION:\nTo: azure")).toEqual({ to: "azure", reason: undefined, context: {} });
  });

  it.each([
    ['Context: {"zone": "eu", "note": "a } in \\" text"}', { zone: "eu", note: 'a } in " text' }],
    ['Context:\n{\n  "zone": {"a": [1, 2]}\n}', { zone: { a: [1, 2] } }],
    ['Context:\n```json\n{"zone": 1}\n```', { zone: 1 }],
    ['Context:\n```\n{"To: x": 1}\n```', { "To: x": 1 }],
    ["Context: {zone: eu}", "{zone: eu}"],
    ['Context: {"zone": ', '{"zone":'],
    ["Context: [1]", "[1]"],
  ])("has its context from %j", (written, context) => {
    expect(declarationIn(`HANDOFF DECLARATION:\nTo: azure\n${written}`)?.context).toEqual(context);
  });

  it.each([
    "Checked.\n\n```\nHANDOFF DECLARATION:\nTo: azure\nReason: cloud\nContext: notes\n```",
    "Checked.\n```text\n\n**HANDOFF DECLARATION:**\nTo: azure\nReason: cloud\nContext: notes\n\n```\n\n",
    "Checked. `a`\n~~~\r\nHANDOFF DECLARATION:\r\nTo: azure\r\nReason: cloud\r\nContext: notes\r\n~~~\r\n",
  ])("may be all of a code fence that ends the answer: %j", (text) => {
    const declared = readDeclarations(text);
    expect(declared?.declarations).toEqual([{ to: "azure", reason: "cloud", context: "notes" }]);
    expect(declared?.rest).toMatch(/^Checked\.( `a`)?$/);
  });

  it("leaves the rest of the answer", () => {
    const text = 'Before.\n\nHANDOFF DECLARATION:\nTo: azure\nReason: cloud\nContext: {"a": 1}\n\nAfter.';
    expect(readDeclarations(text)?.rest).toBe("Before.\n\nAfter.");
    expect(readDeclarations("Before.\nHANDOFF DECLARATION:\nTo: azure\nReason: x\n\nAfter.")?.rest).toBe(
      "Before.\nAfter.",
    );
  });

  it("is found beside others", () => {
    const text = "HANDOFF DECLARATION:\nTo: a\nContext: one\n\nHANDOFF DECLARATION:\nTo: b\nContext: two";
    expect(readDeclarations(text)?.declarations).toMatchObject([
      { to: "a", context: "one" },
      { to: "b", context: "two" },
    ]);
  });
});

describe("what is not a declared handoff", () => {
  it.each([
    "To: azure",
    "HANDOFF DECLARATION:",
    "HANDOFF DECLARATION:\nnobody in particular\nTo: azure",
    "HANDOFF DECLARATION:\nTo:",
    "I write HANDOFF DECLARATION:\nTo: azure",
    "```\nHANDOFF DECLARATION:\nTo: azure\n```\nThat is how it is written.",
    "```\nFor example:\nHANDOFF DECLARATION:\nTo: azure\n```",
    "```\nHANDOFF DECLARATION:\nTo: azure\n\nThen wait.\n```",
    "```\nHANDOFF DECLARATION:\nTo: azure\n```\n```\nls\n```",
    "> ```\n> HANDOFF DECLARATION:\n> To: azure\n> ```",
    "> ```\nHANDOFF DECLARATION:\nTo: azure\n```",
    "~~~\nHANDOFF DECLARATION:\nTo: azure",
    "> HANDOFF DECLARATION:\n> To: azure",
    "`HANDOFF DECLARATION:`\nTo: azure",
  ])("is not read as one: %j", (text) => expect(readDeclarations(text)).toBeUndefined());
});

describe("a hostile text", () => {
  it.each([
    ["stars", `HANDOFF DECLARATION:\nTo: ${"*".repeat(200_000)}`],
    ["spaces", `HANDOFF DECLARATION:${" ".repeat(200_000)}x`],
    ["spaces in the place of a colon", `HANDOFF DECLARATION${" ".repeat(200_000)}x`],
    ["headers", "HANDOFF DECLARATION:\n".repeat(20_000)],
    ["braces", `HANDOFF DECLARATION:\nTo: a\nContext: ${"{".repeat(200_000)}`],
    ["fields", `HANDOFF DECLARATION:\n${"To: a\n".repeat(20_000)}`],
    ["headers in a fence", `\`\`\`\n${"HANDOFF DECLARATION:\n".repeat(20_000)}\`\`\``],
    ["fences", `HANDOFF DECLARATION:\n${"```\n".repeat(50_001)}`],
    ["lines", `HANDOFF DECLARATION:\nTo: a\nReason: ${"- ".repeat(100_000)}`],
  ])("of %s is read in time that grows with its length", (_, text) => {
    const before = process.cpuUsage();
    readDeclarations(text);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
