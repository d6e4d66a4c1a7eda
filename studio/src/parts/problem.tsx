/** What went wrong with something that a person did, read out at once. Nothing where nothing went wrong. */
export function Problem({ text = "" }: { readonly text?: string | undefined }) {
  if (text === "") return null;
  return (
    <div className="notice bad" role="alert">
      {text}
    </div>
  );
}
