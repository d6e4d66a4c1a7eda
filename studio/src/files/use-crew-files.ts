import { useCallback, useEffect, useReducer } from "react";
import { readFile, writeFile } from "./file-requests.ts";

/** A file as it is on disk, and as it is being edited. */
interface OpenFile {
  readonly saved: string;
  readonly text: string;
  readonly etag: string | undefined;
}

type Files = ReadonlyMap<string, OpenFile>;

type Change =
  | { readonly type: "read"; readonly path: string; readonly text: string; readonly etag: string | undefined }
  | { readonly type: "edited"; readonly path: string; readonly text: string };

function changeFiles(files: Files, change: Change): Files {
  const { path, text } = change;
  if (change.type === "read") return new Map(files).set(path, { saved: text, text, etag: change.etag });
  const before = files.get(path);
  return before === undefined ? files : new Map(files).set(path, { ...before, text });
}

/** Reads the files of a crew, and saves what is edited. */
export function useCrewFiles(crew: string, paths: readonly string[]) {
  const [files, tell] = useReducer(changeFiles, new Map());
  const read = useCallback(
    async (path: string) => tell({ type: "read", path, ...(await readFile(crew, path)) }),
    [crew],
  );
  useEffect(() => {
    for (const path of paths) read(path).catch(() => {});
  }, [paths, read]);
  const edit = useCallback((path: string, text: string) => tell({ type: "edited", path, text }), []);
  const save = async (path: string) => {
    const file = files.get(path);
    if (file === undefined || file.text === file.saved) return;
    const etag = await writeFile(crew, path, file.text, file.etag);
    tell({ type: "read", path, text: file.text, etag });
  };
  return { files, edit, save, read };
}
