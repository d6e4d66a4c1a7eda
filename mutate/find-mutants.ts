import { createHash } from "node:crypto";
import { type Change, findChanges, isProse, type Position } from "./find-changes.ts";
import { childrenOf, nameOf, nodeIn, parseSource, type SyntaxNode } from "./syntax-tree.ts";

/** A change of a source file that some test should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
  /** A statement is replaced with its braces, an expression within parentheses. */
  readonly isStatement: boolean;
  /** The text of its line: with `original` and `replacement`, it names the mutant however far it moves in its file. */
  readonly code: string;
  /** 2 for the second of two mutants of a line that make the same change. */
  readonly nth: number;
  /** The same for the same mutant of the same text. */
  readonly key: string;
}

/** The mutants of a file, in the order of its nodes: those of a node come before those of the nodes below it. */
export function findMutants(file: string, text: string): readonly Mutant[] {
  const changes: Change[] = [];
  visit(parseSource(file, text), undefined, false, text, changes);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const sameBefore = new Map<string, number>();
  return changes.map(({ node, replacement }, index) => {
    const line = text.slice(0, node.start).split("\n").length;
    const original = text.slice(node.start, node.end);
    const same = JSON.stringify([line, original, replacement]);
    const nth = (sameBefore.get(same) ?? 0) + 1;
    sameBefore.set(same, nth);
    return {
      file,
      line,
      start: node.start,
      end: node.end,
      original,
      replacement,
      isStatement: node.type.endsWith("Statement"),
      code: (text.split("\n")[line - 1] ?? "").trim(),
      nth,
      key: `${file}:${hash}:${index}`,
    };
  });
}

function visit(node: SyntaxNode, position: Position | undefined, isMessage: boolean, text: string, found: Change[]) {
  if (isLeftOut(node, isMessage, text)) return;
  if (position !== undefined) found.push(...findChanges(node, position, text));
  const isGuard = guardsImpossible(node);
  for (const [field, child] of childrenOf(node)) {
    if (fieldsWithoutCode.includes(field)) continue;
    if (isGuard && field === "test") found.push({ node: child, replacement: "true" });
    else visit(child, { parent: node, field }, isMessage || holdsMessage(node), text, found);
  }
}

const fieldsWithoutCode = ["typeAnnotation", "typeArguments", "typeParameters", "returnType", "implements"];
const wrappersOfTypes = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"];

/** Types, imports, messages for people, and what cannot happen are no mistakes that a test could notice. */
function isLeftOut(node: SyntaxNode, isMessage: boolean, text: string): boolean {
  if (node.type.startsWith("TS")) return !wrappersOfTypes.includes(node.type) || isExhausted(node);
  if (node.type === "ImportDeclaration" || node.type === "ImportExpression") return true;
  if (node.type.startsWith("Export") && nodeIn(node, "source") !== undefined) return true;
  if (node.type === "ReturnStatement" || node.type === "ExpressionStatement") {
    const value = nodeIn(node, "argument") ?? nodeIn(node, "expression");
    if (value !== undefined && isExhausted(value)) return true;
  }
  if (isMessage && node.type === "TemplateLiteral") return isProse(text.slice(node.start, node.end));
  return isImpossible(node);
}

/** `value satisfies never` */
function isExhausted(node: SyntaxNode): boolean {
  return node.type === "TSSatisfiesExpression" && nodeIn(node, "typeAnnotation")?.type === "TSNeverKeyword";
}

/** `throw new Error(…)` says that we are wrong; errors of users have classes of their own. */
function isImpossible(node: SyntaxNode): boolean {
  const thrown = node.type === "ThrowStatement" ? nodeIn(node, "argument") : undefined;
  return thrown?.type === "NewExpression" && nameOf(nodeIn(thrown, "callee")) === "Error";
}

/** `if (…) throw new Error(…)`: no test can reach it, but all do if it always throws. */
function guardsImpossible(node: SyntaxNode): boolean {
  if (node.type !== "IfStatement") return false;
  const consequent = nodeIn(node, "consequent");
  const statements = consequent?.type === "BlockStatement" ? childrenOf(consequent).map(([, child]) => child) : [];
  const only = statements.length === 1 ? statements[0] : consequent;
  return only !== undefined && isImpossible(only);
}

const namesOfMessages = ["message", "hint", "problem"];

function holdsMessage(node: SyntaxNode): boolean {
  if (node.type === "NewExpression") return nameOf(nodeIn(node, "callee"))?.endsWith("Error") === true;
  const name = nameOf(nodeIn(node, "id") ?? nodeIn(node, "key"));
  return name !== undefined && namesOfMessages.includes(name);
}
