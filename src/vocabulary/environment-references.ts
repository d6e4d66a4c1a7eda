const REFERENCE = /\$\{(\w+)(?::-([^}]*))?\}/g;

/** Fills in `${NAME}` and `${NAME:-otherwise}` from the environment, so that files need not contain secrets. */
export function fillReferences(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
  onUnset: (name: string) => string,
): string {
  return text.replace(
    REFERENCE,
    (_, name: string, otherwise: string | undefined) => variables[name] ?? otherwise ?? onUnset(name),
  );
}

/** The names of the variables that a text refers to. */
export function listReferences(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, name = ""]) => name);
}

/** Says who needs a variable, and what to do. */
export function explainUnset(who: string, name: string): string {
  return `${who} needs the variable ${name}, which is not set: set it, or give it a default: \${${name}:-…}`;
}
