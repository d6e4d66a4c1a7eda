import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { childrenOf, nodeIn, parseSource, type SyntaxNode } from "../mutate/syntax-tree.ts";

/** A name that the package exports, as its source declares it. */
export interface PublicName {
  readonly name: string;
  readonly file: string;
  readonly kind: "function" | "class" | "interface" | "type" | "const";
  /** What its JSDoc says, without the comment's marks; empty if it has none. */
  readonly about: string;
  /** The declaration without what a function or method does. */
  readonly signature: string;
  /** The types that the declaration refers to, but for its own type parameters. */
  readonly refersTo: readonly string[];
}

const kinds: Readonly<Record<string, PublicName["kind"]>> = {
  FunctionDeclaration: "function",
  ClassDeclaration: "class",
  TSInterfaceDeclaration: "interface",
  TSTypeAliasDeclaration: "type",
  VariableDeclaration: "const",
};

interface Source {
  readonly file: string;
  readonly text: string;
  /** The exported declarations by name. */
  readonly declared: ReadonlyMap<string, SyntaxNode>;
}

/** Every name that an entry of the package exports, types included, in alphabetical order. */
export function listPublicApi(root: string, entry = "src/index.ts"): readonly PublicName[] {
  const sources = new Map<string, Source>();
  const read = (file: string) => {
    const known = sources.get(file) ?? readSource(root, file);
    sources.set(file, known);
    return known;
  };
  const names = new Map<string, PublicName>();
  const entryText = readFileSync(join(root, entry), "utf8");
  const statements = list(parseSource(entry, entryText)["body"]);
  // A name that is exported by itself hides the same name among all of another file.
  const wholeFilesFirst = (node: SyntaxNode) => (node.type === "ExportAllDeclaration" ? 0 : 1);
  for (const statement of statements.toSorted((a, b) => wholeFilesFirst(a) - wholeFilesFirst(b))) {
    const source = read(normalize(join(entry, "..", String(nodeIn(statement, "source")?.["value"]))));
    const exported =
      statement.type === "ExportAllDeclaration"
        ? [...source.declared.keys()].filter((name) => statement["exportKind"] !== "type" || isType(name, source))
        : list(statement["specifiers"]).map((each) => identifier(nodeIn(each, "local")));
    for (const name of exported) names.set(name, describeName(name, source));
  }
  return [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readSource(root: string, file: string): Source {
  const text = readFileSync(join(root, file), "utf8");
  const declared = new Map<string, SyntaxNode>();
  for (const statement of list(parseSource(file, text)["body"])) {
    const declaration = statement.type === "ExportNamedDeclaration" ? nodeIn(statement, "declaration") : undefined;
    const name = declaration && nameOfDeclaration(declaration);
    if (name !== undefined && !declared.has(name)) declared.set(name, statement);
  }
  return { file, text, declared };
}

/** What is exported as a type alone cannot be called. */
function isType(name: string, { declared }: Source): boolean {
  const statement = declared.get(name);
  const type = statement && nodeIn(statement, "declaration")?.type;
  return type === "TSInterfaceDeclaration" || type === "TSTypeAliasDeclaration";
}

function nameOfDeclaration(declaration: SyntaxNode): string | undefined {
  const named = declaration.type === "VariableDeclaration" ? list(declaration["declarations"])[0] : declaration;
  return named && identifier(nodeIn(named, "id"));
}

function describeName(name: string, { file, text, declared }: Source): PublicName {
  const statement = declared.get(name);
  const declaration = statement && nodeIn(statement, "declaration");
  const kind = declaration && kinds[declaration.type];
  if (statement === undefined || declaration === undefined || kind === undefined)
    throw new Error(`${file} declares no '${name}'`);
  return {
    name,
    file,
    kind,
    about: readComment(text.slice(0, statement.start)),
    signature:
      kind === "const" ? `const ${name}` : cutBodies(text, declaration).replaceAll(/^ *\/\/ biome-ignore .*\n/gm, ""),
    refersTo: [...(kind === "const" ? [] : listReferences(declaration))].sort(),
  };
}

/** The JSDoc at the end of a text, if the text ends in one. */
function readComment(text: string): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text)?.[1] ?? "";
  return comment.replaceAll(/^[ \t]*\* ?/gm, "").trim();
}

/** A declaration with a semicolon in the place of each body, and without members that nobody else sees. */
function cutBodies(text: string, declaration: SyntaxNode): string {
  let signature = "";
  let at = declaration.start;
  for (const { start, end } of listBodies(declaration)) {
    signature += text.slice(at, start).trimEnd();
    at = end;
    signature += ";";
  }
  return signature + text.slice(at, declaration.end);
}

function listBodies(declaration: SyntaxNode): readonly SyntaxNode[] {
  const body = nodeIn(declaration, "body");
  if (declaration.type === "FunctionDeclaration") return body === undefined ? [] : [body];
  if (declaration.type !== "ClassDeclaration" || body === undefined) return [];
  return list(body["body"]).flatMap((member) => {
    const value = nodeIn(member, "value");
    return (value && nodeIn(value, "body")) ?? [];
  });
}

function listReferences(declaration: SyntaxNode): Set<string> {
  const found = new Set<string>();
  const own = new Set<string>();
  const bodies = new Set(listBodies(declaration));
  const visit = (node: SyntaxNode): void => {
    if (bodies.has(node)) return;
    if (node.type === "TSTypeParameter") own.add(identifier(nodeIn(node, "name")));
    if (node.type === "TSMappedType") own.add(identifier(nodeIn(node, "key")));
    if (node.type === "TSTypeReference") found.add(identifier(nodeIn(node, "typeName")));
    if (node.type === "TSInterfaceHeritage") found.add(identifier(nodeIn(node, "expression")));
    for (const [, child] of childrenOf(node)) visit(child);
  };
  visit(declaration);
  return found.difference(own);
}

function identifier(node: SyntaxNode | undefined): string {
  return String(node?.["name"]);
}

function list(nodes: unknown): readonly SyntaxNode[] {
  // Fields that hold lists of nodes hold nothing else.
  return nodes as readonly SyntaxNode[];
}
