import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import agentShape from "../../../schema/agent.schema.json" with { type: "json" };
import crewShape from "../../../schema/crew.schema.json" with { type: "json" };
import scenarioShape from "../../../schema/scenario.schema.json" with { type: "json" };
import type { CrewDiagnostic } from "../api/studio-api.ts";
import { type CrewNames, completeText, type Shape } from "./complete-text.ts";
import { findFix, findLine } from "./fix-text.ts";

export interface CodeEditorProps {
  readonly path: string;
  readonly text: string;
  readonly canWrite: boolean;
  readonly names: CrewNames;
  readonly diagnostics: readonly CrewDiagnostic[];
  /** The line that is shown, if one was asked for. */
  readonly line: number | undefined;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

/**
 * A text editor. Its styles are mounted in a shadow root, as constructed sheets: the page's policy forbids style elements.
 */
export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const { path, canWrite, text, diagnostics, line } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is another editor; the text of this one is its own.
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const state = EditorState.create({ doc: text, extensions: listExtensions(latest, path, canWrite) });
    const editor = new EditorView({ state, parent: root, root });
    view.current = editor;
    return () => editor.destroy();
  }, [path, canWrite]);
  useEffect(() => {
    const editor = view.current;
    // Somebody else's change of the file, or a fix from the list.
    if (editor !== undefined && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const own = diagnostics.filter(({ file }) => file === path);
    editor.dispatch(
      setDiagnostics(
        editor.state,
        own.map((each) => toMark(each, editor.state.doc.toString())),
      ),
    );
  }, [diagnostics, path]);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || line === undefined) return;
    const at = editor.state.doc.line(Math.min(line, editor.state.doc.lines)).from;
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    editor.focus();
  }, [line]);
  return <div ref={place} className="editor" />;
}

function listExtensions(latest: { current: CodeEditorProps }, path: string, canWrite: boolean): Extension[] {
  const save = () => {
    latest.current.onSave();
    return true;
  };
  const isYaml = /\.ya?ml$/.test(path);
  return [
    lineNumbers(),
    history(),
    bracketMatching(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    EditorState.readOnly.of(!canWrite),
    EditorView.contentAttributes.of({ "aria-label": path }),
    keymap.of([{ key: "Mod-s", run: save }, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
    ...(isYaml || path.endsWith(".md") ? [yaml(), completion(latest, path)] : []),
    syntaxHighlighting(colours),
    theme,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange(update.state.doc.toString());
    }),
  ];
}

function completion(latest: { current: CodeEditorProps }, path: string): Extension {
  // The schemas are JSON Schema of the package itself.
  const shape = (
    path.includes("scenario") ? scenarioShape : /crew\.ya?ml$/.test(path) ? crewShape : agentShape
  ) as Shape;
  return autocompletion({
    override: [
      ({ state, pos, explicit }) => {
        const text = state.doc.toString();
        if (path.endsWith(".md") && !isInFrontmatter(text, pos)) return null;
        const found = completeText(text, pos, shape, latest.current.names);
        return found === undefined || (!explicit && found.from === pos) ? null : found;
      },
    ],
  });
}

function isInFrontmatter(text: string, position: number): boolean {
  return text.startsWith("---") && !/^---\s*$/m.test(text.slice(3, position));
}

function toMark(diagnostic: CrewDiagnostic, text: string): Diagnostic {
  const { severity, message, code, line = 1, column = 1 } = diagnostic;
  const from = Math.min(text.length, findLine(text, line) + column - 1);
  const fix = findFix(text, diagnostic);
  const rest = /^[^\s,}\]]+/.exec(text.slice(from))?.[0].length ?? 1;
  return {
    from,
    to: Math.min(text.length, from + rest),
    severity,
    message: `${message} (${code})`,
    ...(fix !== undefined && {
      actions: [{ name: `Write '${fix.insert}'`, apply: (editor) => editor.dispatch({ changes: fix }) }],
    }),
  };
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: tags.comment, color: "var(--text-3)", fontStyle: "italic" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "13px" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--text-3)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  // The library's own underlines are images, which the page's policy does not load.
  ".cm-lintRange": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warn)" },
  ".cm-lintRange-error, .cm-lintRange-active": { backgroundImage: "none" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line-strong)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.8" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});
