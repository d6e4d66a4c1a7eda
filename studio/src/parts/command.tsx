import { useState } from "react";

/** A command of the terminal, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <span className="command">
      <code>{text}</code>
      <button type="button" className="button plain" onClick={copy} aria-label={`Copy: ${text}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </span>
  );
}
