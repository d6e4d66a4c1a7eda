import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCrew, openSqliteStore } from "../src/index.ts";
import { writeCrew } from "./write-crew.ts";

/** Two crews of one name, whose agents have one id and name their replies in the same way. */
const alike = (replies: string) => ({
  "crew.yaml": 'version: "2.0"\nname: same\nagents: [w]\n',
  "agents/w.md": "---\ndescription: d\nmodels: [script/r.yaml]\n---\nWork.\n",
  "r.yaml": `w: [${replies}]\n`,
});

function under(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

describe("the replies of a script file", () => {
  it("are counted for that file alone, also when the run continues in another process", async () => {
    const folder = writeCrew({
      "package.json": "{}",
      "crew.yaml": `version: "2.0"
name: top
agents: [a]
models: [script/top.yaml]
sub_crews: { left: { config_path: left }, right: { config_path: right } }
routing:
  signals:
    a:
      - { signal: "[LEFT]", target_crew: left, return_to: a }
      - { signal: "[RIGHT]", target_crew: right, return_to: a }
      - { signal: "[ASK]", type: pause }
      - { signal: "[DONE]" }
`,
      "agents/a.md": "---\ndescription: d\n---\nWork. [LEFT] [RIGHT] [ASK] [DONE]\n",
      "top.yaml": 'a: ["[LEFT]", "[ASK]", "[RIGHT]", "[LEFT]", "[DONE]"]\n',
      ...under("left", alike("left one, left two")),
      ...under("right", alike("right one")),
    });
    const store = await openSqliteStore(join(folder, "journal.sqlite"));
    const open = () => loadCrew(folder, { store });
    const { runId, status } = await (await open()).run("Go");
    expect(status).toBe("paused");
    const second = await open();
    expect((await second.resume(runId, { input: "on" }).result).status).toBe("completed");
    const events = await store.read(runId);
    const said = events.flatMap((event) => (event.type === "crew.left" ? [event.data.output] : []));
    expect(said).toEqual(["left one", "right one", "left two"]);
    expect(await second.replay(runId)).not.toHaveProperty("divergence");
    await store.close();
  });

  it("are counted for each file of a chain of models", async () => {
    const folder = writeCrew({
      "package.json": "{}",
      "a.md": "---\ndescription: d\nmodels: [script/first.yaml, script/second.yaml]\n---\nWork.\n",
      "first.yaml": "a: [{ error: { status: 400, message: no } }]\n",
      "second.yaml": "a: [the first reply, the second reply]\n",
    });
    expect(await (await loadCrew(join(folder, "a.md"))).run("Go")).toMatchObject({ output: "the first reply" });
  });
});
