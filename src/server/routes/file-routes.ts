import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { checkCrew } from "../../definition/check-crew.ts";
import { findScenarios, runScenario, runScenarioText } from "../../scenario/play-scenarios.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import { defineRoute, type Route } from "../api-route.ts";
import { checkEdited, withoutFolder } from "../check-edited.ts";
import { folderOf, listCrewFiles, locate, readCrewFile, writeCrewFile } from "../editable-files.ts";
import { anyObject } from "../schemas.ts";
import { findCrew } from "../visible.ts";

const diagnosticsSchema = z.strictObject({ diagnostics: z.array(anyObject) });

/** What an editor of crews needs: files, checks and tests. */
export const fileRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/v1/crews/:crew/files",
    scope: "admin",
    summary: "The files of a crew",
    result: z.strictObject({ files: z.array(z.string()) }),
    handle: (call) => ({ json: { files: listCrewFiles(folderOf(findCrew(call).path)) } }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/crews/:crew/files/:path{.+}",
    scope: "admin",
    summary: "A file of a crew, with its ETag",
    produces: ["text/plain"],
    handle(call) {
      const { path = "" } = call.params;
      const file = readCrewFile(folderOf(findCrew(call).path), path);
      if (file === undefined) throw new BatonError("unknown-route", `the crew has no file '${path}'`);
      return { text: file.text, type: "text/plain; charset=utf-8", headers: { ETag: file.etag } };
    },
  }),
  defineRoute({
    method: "PUT",
    path: "/v1/crews/:crew/files/:path{.+}",
    scope: "admin",
    summary:
      "Writes a file of a crew: `If-Match` is its ETag; without it, the file must be new. Gives what checking finds then",
    headers: { "If-Match": "The file's ETag; a new file has none." },
    body: z.strictObject({ text: z.string().max(262_144) }),
    result: diagnosticsSchema,
    problems: ["file-changed"],
    handle(call) {
      const { path: root } = findCrew(call);
      const { path = "" } = call.params;
      const { etag } = writeCrewFile(folderOf(root), path, call.body.text, call.header("if-match"));
      return { json: { diagnostics: check(root, folderOf(root)) }, headers: { ETag: etag } };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/crews/:crew/check",
    scope: "admin",
    summary:
      "Checks a crew as it would be with other `files`, by their paths in its folder; draws it if it has no errors",
    body: z.strictObject({ files: z.record(z.string(), z.string()) }),
    result: z.strictObject({ diagnostics: z.array(anyObject), graph: anyObject.optional() }),
    handle: (call) => ({ json: checkEdited(findCrew(call).path, call.body.files) }),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/check",
    scope: "admin",
    summary: "Checks a crew that is not stored: `files` by their paths, `path` the crew among them",
    body: z.strictObject({ files: z.record(z.string(), z.string()), path: z.string().optional() }),
    result: diagnosticsSchema,
    handle({ body: { files, path } }) {
      const folder = mkdtempSync(join(tmpdir(), "baton-check-"));
      try {
        for (const [name, text] of Object.entries(files)) {
          const file = locate(folder, name);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, text);
        }
        return { json: { diagnostics: check(path === undefined ? folder : locate(folder, path), folder) } };
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/test",
    scope: "admin",
    summary:
      "Plays the scenarios in a crew's folder offline, or the text of one that is not stored, and gives what differs from what they expect",
    body: z.strictObject({
      crew: z.string(),
      filter: z.string().optional(),
      scenario: z.string().max(262_144).optional().meta({ description: "A scenario, as its file would hold it." }),
      path: z.string().default("posted.scenario.yaml").meta({ description: "Where its file would be." }),
    }),
    result: z.strictObject({ passed: z.int(), failed: z.int(), scenarios: z.array(anyObject) }),
    async handle(call) {
      const { crew, scenario, path } = call.body;
      const folder = folderOf(findCrew({ ...call, params: { crew } }).path);
      const reports =
        scenario === undefined
          ? await Promise.all(findScenarios(folder).map((file) => runScenario(file, folder)))
          : [await runScenarioText(locate(folder, path), scenario, folder)];
      const filter = call.body.filter?.toLowerCase() ?? "";
      const scenarios = reports.filter(({ name, file }) => `${name} ${file}`.toLowerCase().includes(filter));
      const failed = scenarios.filter(({ problems }) => problems.length > 0).length;
      return { json: { passed: scenarios.length - failed, failed, scenarios } };
    },
  }),
];

/** What is wrong with a crew, with places in its own folder. */
function check(path: string, folder: string): unknown[] {
  const { diagnostics } = checkCrew(path, { workingDirectory: folder, root: folder });
  return diagnostics.map((each) => withoutFolder(each, folder));
}
