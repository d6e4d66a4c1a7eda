import { parseSync } from "rolldown/utils";

/** A node of the tree of a source file (ESTree); rules read the fields that their type of node has. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export function parseSource(file: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
  // A program is a node as any other, and its fields are read one by one.
  return program as unknown as SyntaxNode;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The nodes below a node, each with the field in which it stands. */
export function childrenOf(node: SyntaxNode): readonly (readonly [field: string, child: SyntaxNode])[] {
  return Object.entries(node).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child) => [field, child] as const),
  );
}

/** A field that holds a node, if it does. */
export function nodeIn(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const value = node[field];
  return isNode(value) ? value : undefined;
}

/** The name of an identifier, or of the member that is read: `c` in `a.b.c`. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "Identifier" && typeof node["name"] === "string") return node["name"];
  return node?.type === "MemberExpression" && node["computed"] === false ? nameOf(nodeIn(node, "property")) : undefined;
}
