import { lazy, Suspense, useContext, useEffect, useMemo, useState } from "react";
import type { RequestError } from "../api/request.ts";
import type { CrewDiagnostic } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { type GraphJson, readGraph } from "../graph/graph-data.ts";
import { LazyCrewGraph } from "../graph/lazy-crew-graph.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { linkTo } from "../router/parse-route.ts";
import { navigate, useLocation } from "../router/use-location.ts";
import { SessionContext } from "../shell/session-context.ts";
import { checkEdited, listFiles } from "./file-requests.ts";
import { findNames } from "./find-names.ts";
import { ProblemList } from "./problem-list.tsx";
import { useCrewFiles } from "./use-crew-files.ts";

const Editor = lazy(async () => ({ default: (await import("./code-editor.tsx")).CodeEditor }));

/** The files of a crew in an editor, with what is wrong and the drawing beside them. Both follow every keystroke. */
export function FilesPane({ crew }: { readonly crew: string }) {
  const list = useResource(`files ${crew}`, async () => sortFiles((await listFiles(crew)).files));
  return <Loaded resource={list}>{(paths) => <OpenFiles crew={crew} paths={paths} />}</Loaded>;
}

/** The crew first, then its agents, its scenarios last. */
function sortFiles(paths: readonly string[]): string[] {
  const rank = (path: string) =>
    /(?:^|\/)crew\.ya?ml$/.test(path) ? 0 : path.includes("agents/") ? 1 : path.includes("scenario") ? 3 : 2;
  return paths.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

const CHECK_MS = 150;
const NOTHING: readonly CrewDiagnostic[] = [];

function OpenFiles({ crew, paths }: { readonly crew: string; readonly paths: readonly string[] }) {
  const { params } = useLocation();
  const asked = params.get("file");
  const isAsked = (each: string) => each === asked || (asked !== null && each.endsWith(`/${asked}`));
  const path = paths.find(isAsked) ?? paths.find((each) => /crew\.ya?ml$/.test(each)) ?? paths[0] ?? "";
  const line = params.get("line") === null ? undefined : Number(params.get("line"));
  const { canWrite: isAllowed } = useContext(SessionContext);
  const [canWrite, setWrite] = useState(isAllowed);
  const [problem, setProblem] = useState<string>();
  const { files, edit, save, read } = useCrewFiles(crew, paths);
  const edited = [...files].filter(([, { text, saved }]) => text !== saved);
  const { diagnostics, graph } = useCheck(crew, edited);
  const names = useMemo(() => findNames([...files].map(([file, { text }]) => [file, text])), [files]);
  const open = (file: string, at?: number) =>
    navigate(`${linkTo("crews", crew, "files")}?${new URLSearchParams({ file, ...(at && { line: String(at) }) })}`);
  const file = files.get(path);
  const saveFile = () => {
    setProblem(undefined);
    save(path).catch((error: RequestError) =>
      setProblem(error.code === "file-changed" ? `${path} has changed on disk since you opened it.` : error.message),
    );
  };
  return (
    <div className="files">
      <nav className="panel file-list" aria-label="Files">
        {paths.map((each) => (
          <button key={each} type="button" aria-current={each === path ? "true" : undefined} onClick={() => open(each)}>
            <span className="cut">{each}</span>
            {edited.some(([name]) => name === each) && <span title="not saved">●</span>}
          </button>
        ))}
      </nav>
      <section className="panel editor-panel" aria-label={path}>
        <header>
          <span className="mono cut">{path}</span>
          <label className="row end">
            <input type="checkbox" checked={canWrite} onChange={({ target }) => setWrite(target.checked)} />
            Edit
          </label>
          <button type="button" className="button primary" disabled={file?.text === file?.saved} onClick={saveFile}>
            Save
          </button>
        </header>
        {problem !== undefined && (
          <div className="notice bad" role="alert">
            <span className="grow">{problem}</span>
            <button type="button" className="button" onClick={() => void read(path).then(() => setProblem(undefined))}>
              Read it again
            </button>
          </div>
        )}
        {file !== undefined && (
          <Suspense fallback={<div className="editor" />}>
            <Editor
              {...{ path, canWrite, names, diagnostics, line, text: file.text, onSave: saveFile }}
              onChange={(text) => edit(path, text)}
            />
          </Suspense>
        )}
      </section>
      <div className="stack">
        <ProblemList diagnostics={diagnostics} onOpen={open} onFix={edit} textOf={(name) => files.get(name)?.text} />
        <section className="panel" aria-label="Graph">
          {graph !== undefined && <LazyCrewGraph graph={graph} height={420} />}
        </section>
      </div>
    </div>
  );
}

/** Checks what is edited, shortly after each keystroke. The drawing stays that of the last text without errors. */
function useCheck(crew: string, edited: readonly (readonly [string, { readonly text: string }])[]) {
  const [found, setFound] = useState({ diagnostics: NOTHING, json: undefined as GraphJson | undefined });
  const key = JSON.stringify(edited.map(([path, { text }]) => [path, text]));
  useEffect(() => {
    let isCurrent = true;
    const files = Object.fromEntries(JSON.parse(key) as [string, string][]);
    const timer = setTimeout(() => {
      checkEdited(crew, files).then(
        ({ diagnostics, graph }) => isCurrent && setFound((before) => ({ diagnostics, json: graph ?? before.json })),
        () => {},
      );
    }, CHECK_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [crew, key]);
  const { diagnostics, json } = found;
  const graph = useMemo(() => (json === undefined ? undefined : readGraph(json)), [json]);
  return { diagnostics, graph };
}
