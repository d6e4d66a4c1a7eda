import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCrew } from "../src/definition/check-crew.ts";
import { writeCrew } from "./write-crew.ts";

const crew = 'version: "2.0"\nname: solo\nagents: [helper]\n';
const helper = "---\ndescription: helps\n---\nHelp.\n";

describe("a file that is not what it should be gets a diagnostic", () => {
  it.each<[string, Record<string, string | Uint8Array>, string, string]>([
    ["UTF-16", { "crew.yaml": Buffer.from(`\ufeff${crew}`, "utf16le") }, "not-utf8", "UTF-16"],
    ["NUL bytes", { "crew.yaml": `${crew}# \u0000` }, "not-utf8", "NUL"],
    [
      "bytes that are no UTF-8",
      { "agents/helper.md": Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]) },
      "not-utf8",
      "UTF-8",
    ],
    ["a file of a gigabyte's kind", { "agents/helper.md": "x".repeat(300_000) }, "too-large", "262144"],
    [
      "50,000 keys",
      { "crew.yaml": Array.from({ length: 50_000 }, (_, i) => `key_${i}: 1`).join("\n") },
      "too-large",
      "262144",
    ],
    [
      "as many keys as fit",
      { "crew.yaml": Array.from({ length: 18_000 }, (_, i) => `key_${i}: 1`).join("\n") },
      "unknown-key",
      "key_0",
    ],
    ["an alias bomb", { "crew.yaml": aliasBomb() }, "alias", "*a"],
    ["brackets nested without end", { "crew.yaml": `agents: ${"[".repeat(100_000)}` }, "too-large", "nested"],
    [
      "brackets nested and closed",
      { "crew.yaml": `agents: ${"[".repeat(500)}${"]".repeat(500)}` },
      "too-large",
      "nested",
    ],
    [
      "indentation nested 300 deep",
      { "crew.yaml": Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n") },
      "too-large",
      "nested",
    ],
    [
      "a duration of letters alone",
      { "agents/helper.md": `---\nllm_timeout: ${"s".repeat(200_000)}0\n---\nHelp.\n` },
      "bad-duration",
      "llm_timeout",
    ],
    ["a tag", { "crew.yaml": `${crew}description: !!binary aGVsbG8=\n` }, "wrong-type", "only text"],
    ["a tag of another language", { "crew.yaml": `${crew}description: !!js/function 'x'\n` }, "yaml-syntax", "tag"],
    [
      "a prototype's key",
      { "crew.yaml": `${crew}__proto__: { polluted: true }\nconstructor: 1\n` },
      "unknown-key",
      "__proto__",
    ],
  ])("%s", (_, files, code, says) => {
    const found = check(writeCrew({ "crew.yaml": crew, "agents/helper.md": helper, ...files }));
    expect(found).toContainEqual(expect.objectContaining({ code, message: expect.stringContaining(says) }));
  });

  it.each(["crew.yaml", "agents/helper.md"])("a pipe in the place of %s, without waiting for it", (name) => {
    const { [name as "crew.yaml"]: _, ...files } = {
      "crew.yaml": crew,
      "agents/helper.md": helper,
      "agents/x.md": helper,
    };
    const folder = writeCrew(files);
    spawnSync("mkfifo", [join(folder, name)]);
    expect(check(folder)).toContainEqual(expect.objectContaining({ code: "unreadable" }));
  });

  it("a folder in the place of a file", () => {
    const folder = writeCrew({ "agents/helper.md": helper });
    mkdirSync(join(folder, "crew.yaml"));
    expect(check(folder)).toContainEqual(expect.objectContaining({ code: "unreadable" }));
  });

  it.each(["/dev/zero", "/etc/hostname"])("a link that leads out of the project, to %s", (target) => {
    const folder = writeCrew({ "crew.yaml": crew, "agents/other.md": helper });
    symlinkSync(target, join(folder, "agents/helper.md"));
    expect(check(folder)).toContainEqual(expect.objectContaining({ code: "outside-root" }));
  });

  it.each(["/dev/null", "/dev/zero"])("a device that is linked in as an agent's file: %s", (device) => {
    const folder = writeCrew({ "crew.yaml": crew, "agents/other.md": helper });
    symlinkSync(device, join(folder, "agents/helper.md"));
    expect(checkCrew(folder, { root: "/" }).diagnostics).toContainEqual(
      expect.objectContaining({ code: "unreadable" }),
    );
  });

  it("a link to itself", () => {
    const folder = writeCrew({ "crew.yaml": crew, "agents/other.md": helper });
    symlinkSync("helper.md", join(folder, "agents/helper.md"));
    expect(check(folder)).toContainEqual(expect.objectContaining({ code: "unreadable" }));
  });

  it("a folder of agents that is linked in from outside", () => {
    const outside = writeCrew({ "helper.md": helper });
    const folder = writeCrew({ "crew.yaml": crew });
    symlinkSync(outside, join(folder, "agents"));
    expect(check(folder)).toContainEqual(expect.objectContaining({ code: "outside-root" }));
  });

  it("a path that is not there at all", () => {
    expect(check(join(writeCrew({}), "nowhere"))).toMatchObject([{ code: "not-found", line: 1, column: 1, frame: "" }]);
  });
});

describe("a link inside the project", () => {
  it("is followed like any file", () => {
    const folder = writeCrew({ "crew.yaml": crew, "shared/helper.md": helper });
    mkdirSync(join(folder, "agents"));
    symlinkSync("../shared/helper.md", join(folder, "agents/helper.md"));
    expect(check(folder)).toEqual([]);
  });

  it("with a byte order mark and CRLF line ends reads as without", () => {
    const folder = writeCrew({ "crew.yaml": `\ufeff${crew.replaceAll("\n", "\r\n")}` });
    mkdirSync(join(folder, "agents"));
    writeFileSync(join(folder, "agents/helper.md"), `\ufeff${helper.replaceAll("\n", "\r\n")}`);
    expect(check(folder)).toEqual([]);
  });
});

function check(path: string) {
  return checkCrew(path, { root: path }).diagnostics;
}

function aliasBomb(): string {
  const layers = "bcdefghi"
    .split("")
    .map((name, index) => `${name}: &${name} [${`*${"abcdefghi"[index]},`.repeat(9)}]`);
  return `${crew}a: &a [x, x, x, x, x, x, x, x, x]\n${layers.join("\n")}\n`;
}
