/** A value as readable text: texts as they are, all else as JSON. React escapes both. */
export function JsonText({ value }: { readonly value: unknown }) {
  const text = typeof value === "string" ? formatText(value) : JSON.stringify(value, null, 2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by keyboard.
    <pre className="block" tabIndex={0}>
      {text ?? ""}
    </pre>
  );
}

/** JSON that came as text is indented. */
function formatText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
