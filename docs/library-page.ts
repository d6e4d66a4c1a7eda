import type { PublicName } from "./public-api.ts";

const kinds: readonly (readonly [title: string, kinds: readonly PublicName["kind"][]])[] = [
  ["Functions", ["function"]],
  ["Classes", ["class"]],
  ["Constants", ["const"]],
  ["Types", ["interface", "type"]],
];

/** Types of keys of files, which other pages describe. */
const ofKeys = /(?:agent|crew)-keys\.ts$/;

/** The page with every name that the package exports: what it is for, and its declaration. */
export function libraryPage(names: readonly PublicName[]): string {
  const shown = names.filter(({ file }) => !ofKeys.test(file));
  const hidden = names.filter(({ file }) => ofKeys.test(file)).map(({ name }) => `\`${name}\``);
  const sections = kinds.flatMap(([title, wanted]) => [
    `## ${title}\n`,
    ...shown.filter(({ kind }) => wanted.includes(kind)).map(describe),
  ]);
  return [
    "# The library\n",
    "Every name that `baton-agents` exports, with its declaration. Generated from the code. What each code of an error means is in [errors](errors.md).\n",
    ...sections,
    `The keys of [agents](agent.md) and [crews](crew.md) have types as well: ${hidden.join(", ")}.\n`,
  ].join("\n");
}

function describe({ name, about, signature }: PublicName): string {
  // Declarations alone do not run, so they are not marked as the examples of the guide are.
  const text = about.replaceAll("```ts\n", "```typescript\n");
  return `### ${name}\n\n${text}\n\n\`\`\`typescript\n${signature}\n\`\`\`\n`;
}
