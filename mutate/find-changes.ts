import { nameOf, nodeIn, type SyntaxNode } from "./syntax-tree.ts";

/** The node that contains a node, and the field in which it does. */
export interface Position {
  readonly parent: SyntaxNode;
  readonly field: string;
}

/** One way in which a program would be wrong: text that replaces a node, an expression or a whole statement. */
export interface Change {
  readonly node: SyntaxNode;
  readonly replacement: string;
}

type Rule = (node: SyntaxNode, position: Position, text: string) => readonly Change[];

/** The changes of one node, without those of the nodes below it. */
export function findChanges(node: SyntaxNode, position: Position, text: string): readonly Change[] {
  return [
    ...(isCondition(position) ? forceCondition(node, position) : []),
    ...(position.field === "body" && position.parent.type === "ArrowFunctionExpression" ? removeValue(node, text) : []),
    ...(rules[node.type]?.(node, position, text) ?? []),
  ];
}

const rules: Readonly<Record<string, Rule>> = {
  BinaryExpression: changeOperator,
  LogicalExpression: changeOperator,
  UnaryExpression: removeOperator,
  Literal: changeLiteral,
  TemplateLiteral: (node, { parent }, text) =>
    parent.type === "TaggedTemplateExpression" || isProse(sourceOf(node, text)) ? [] : [{ node, replacement: '""' }],
  ArrayExpression: (node) => (hasElements(node) ? [{ node, replacement: "[]" }] : []),
  ChainExpression: requireChain,
  CallExpression: changeCall,
  ExpressionStatement: removeEffect,
  ReturnStatement: (node, _, text) => {
    const argument = nodeIn(node, "argument");
    return argument === undefined ? [{ node, replacement: ";" }] : removeValue(argument, text);
  },
  ContinueStatement: (node) => [{ node, replacement: ";" }],
  BreakStatement: (node) => [{ node, replacement: ";" }],
  ThrowStatement: (node) => [{ node, replacement: ";" }],
};

function sourceOf({ start, end }: SyntaxNode, text: string): string {
  return text.slice(start, end);
}

/** Text of several words is written for people, or for a model. */
export function isProse(text: string): boolean {
  return /[a-z,:;.]\s+[a-z]/i.test(text);
}

const branching = ["IfStatement", "ConditionalExpression", "WhileStatement", "DoWhileStatement", "ForStatement"];

function isCondition({ parent, field }: Position): boolean {
  return field === "test" && branching.includes(parent.type);
}

/** A loop whose condition always held would only be waited for. */
function forceCondition(node: SyntaxNode, { parent }: Position): readonly Change[] {
  if (node.type === "Literal") return [];
  const isBranch = parent.type === "IfStatement" || parent.type === "ConditionalExpression";
  return (isBranch ? ["true", "false"] : ["false"]).map((replacement) => ({ node, replacement }));
}

const valuesOfTheirOwn = ["undefined", "true", "false"];

function removeValue(node: SyntaxNode, text: string): readonly Change[] {
  const isKnown = node.type === "BlockStatement" || valuesOfTheirOwn.includes(sourceOf(node, text));
  return isKnown ? [] : [{ node, replacement: "undefined" }];
}

const otherOperators: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
};

function changeOperator(node: SyntaxNode, position: Position, text: string): readonly Change[] {
  const [left, right] = [nodeIn(node, "left"), nodeIn(node, "right")];
  if (left === undefined || right === undefined) return [];
  const operator = String(node["operator"]);
  if (operator === "??") return [{ node, replacement: sourceOf(left, text) }];
  const other = otherOperators[operator];
  // A condition that is turned round is one that is forced, in each of the two cases.
  const isForced = operator.endsWith("==") && isCondition(position);
  if (other === undefined || isForced || (operator === "+" && [left, right].some(isText))) return [];
  const [before, after] = [text.slice(node.start, left.end), text.slice(right.start, node.end)];
  return [{ node, replacement: `${before} ${other} ${after}` }];
}

function isText(node: SyntaxNode): boolean {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node["value"] === "string");
}

function removeOperator(node: SyntaxNode, position: Position, text: string): readonly Change[] {
  const argument = nodeIn(node, "argument");
  const isChanged = node["operator"] === "-" || (node["operator"] === "!" && !isCondition(position));
  return argument !== undefined && isChanged ? [{ node, replacement: sourceOf(argument, text) }] : [];
}

function changeLiteral(node: SyntaxNode, { parent, field }: Position): readonly Change[] {
  const isCompared = parent.type === "BinaryExpression" && !/^[-+*/%<>]/.test(String(parent["operator"]));
  const isName = field === "key" || field === "property" || field === "test" || field === "source";
  const value = node["value"];
  if (isCompared || isName || parent.type === "ExpressionStatement") return [];
  if (typeof value === "boolean") return [{ node, replacement: String(!value) }];
  if (typeof value === "number") return [{ node, replacement: otherNumber(value) }];
  if (typeof value !== "string" || isProse(value)) return [];
  return [{ node, replacement: value === "" ? '"changed"' : '""' }];
}

/** A small number is a count, and the next one is wrong; a large one is a bound, which 0 would take away. */
function otherNumber(value: number): string {
  return Math.abs(value) <= 10 ? String(value === 1 ? 0 : value + 1) : "0";
}

function hasElements(node: SyntaxNode): boolean {
  return Array.isArray(node["elements"]) && node["elements"].length > 0;
}

/** Each `?.` as a plain `.` */
function requireChain(node: SyntaxNode, { parent }: Position, text: string): readonly Change[] {
  if (parent.type === "UnaryExpression") return [];
  const changes: Change[] = [];
  for (let link = nodeIn(node, "expression"); link !== undefined; link = innerLink(link)) {
    const before = nodeIn(link, link.type === "CallExpression" ? "callee" : "object");
    if (link["optional"] !== true || before === undefined) continue;
    const at = text.indexOf("?.", before.end);
    const isPlain = link.type === "MemberExpression" && link["computed"] === false;
    const rest = text.slice(at + (isPlain ? 1 : 2), node.end);
    changes.push({ node, replacement: text.slice(node.start, at) + rest });
  }
  return changes;
}

function innerLink(node: SyntaxNode): SyntaxNode | undefined {
  return nodeIn(node, "object") ?? nodeIn(node, "callee") ?? nodeIn(node, "expression");
}

const otherMethods: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
  min: "max",
  max: "min",
};
const methodsToLeaveOut = ["filter", "slice", "sort", "toSorted", "reverse", "toReversed", "trim", "toLowerCase"];

function changeCall(node: SyntaxNode, { parent }: Position, text: string): readonly Change[] {
  const callee = nodeIn(node, "callee");
  const object = callee && nodeIn(callee, "object");
  const property = callee && nodeIn(callee, "property");
  const name = nameOf(callee);
  if (callee?.type !== "MemberExpression" || !object || !property || !name || isInChain(node, parent)) return [];
  if (methodsToLeaveOut.includes(name)) return [{ node, replacement: sourceOf(object, text) }];
  const other = Object.hasOwn(otherMethods, name) ? otherMethods[name] : undefined;
  if (other === undefined) return [];
  const [before, after] = [text.slice(node.start, property.start), text.slice(property.end, node.end)];
  return [{ node, replacement: before + other + after }];
}

/** A call within `a?.b().c` ends the whole chain where `a` is undefined, and cannot be replaced by itself. */
function isInChain(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type === "ChainExpression") return true;
  for (let link = innerLink(node); link !== undefined; link = innerLink(link))
    if (link["optional"] === true) return true;
  return false;
}

const effects = ["CallExpression", "AwaitExpression", "AssignmentExpression", "UpdateExpression", "ChainExpression"];

/** What a statement does: a call, an assignment, a deletion. */
function removeEffect(node: SyntaxNode): readonly Change[] {
  const expression = nodeIn(node, "expression");
  if (expression === undefined) return [];
  const isDeletion = expression.type === "UnaryExpression" && expression["operator"] === "delete";
  const isSuper = nodeIn(expression, "callee")?.type === "Super";
  return (effects.includes(expression.type) && !isSuper) || isDeletion
    ? [{ node: expression, replacement: "undefined" }]
    : [];
}
