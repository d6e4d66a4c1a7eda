import type { Schema } from "./key-table.ts";

/** An interface for the keys of a file, and which keys are left out, since code gives them in another form. */
export interface TypedSchema {
  readonly name: string;
  readonly about: string;
  readonly schema: Schema;
  readonly leftOut: ReadonlySet<string>;
}

/** Names of interfaces by the keys that take them. Other keys give their own name. */
const names: Readonly<Record<string, string>> = {
  primary: "ModelKeys",
  backup: "ModelKeys",
  when: "ConditionKeys",
  "router[]": "NeighbourKeys",
  "destinations[]": "NeighbourKeys",
  "collaborations[]": "NeighbourKeys",
  "signals[]": "NamedSignalKeys",
  input: "ContractKeys",
  "input[]": "CheckKeys",
  "output[]": "CheckKeys",
  quotas: "QuotaKeys",
  "routing.signals[]": "BindingKeys",
  "routing.agent_behaviors": "BehaviorKeys",
  "routing.parallel_groups": "GroupKeys",
};

/**
 * Keys that take names of agents, tools, groups and sub-crews. They are declared apart, so that a type that knows the names can declare
 * them in their place: editors show nothing of a key that is declared twice.
 */
const references: Readonly<Record<string, readonly string[]>> = {
  AgentKeys: ["tools", "agents", "handoff", "advisors", "team", "collaborations", "handoff_targets", "delegate"],
  HandoffKeys: ["to"],
  NeighbourKeys: ["agent"],
  TeamKeys: ["members", "supervisor"],
  CrewKeys: ["entry_point", "routing", "settings"],
  RoutingKeys: ["signals", "defaults", "agent_behaviors", "parallel_groups"],
  BindingKeys: ["target", "targets", "target_crew", "target_crews", "return_to", "fallback_crew"],
  GroupKeys: ["agents", "crews", "for_each", "next_agent"],
  SettingKeys: ["summarizer", "classifier"],
};

/** Keys that take a number as well as text. */
const numbers: ReadonlySet<string> = new Set(["reasoning"]);

/**
 * TypeScript interfaces of what files take, a module for each file, in both spellings, each key with what it means. Their names end in
 * `Keys`. A module imports what those before it declare.
 */
export function keyTypes(files: readonly (TypedSchema & { readonly module: string })[]): Map<string, string> {
  const earlier = new Map<string, string>();
  const modules = new Map<string, string>();
  for (const { module, name, about, schema, leftOut } of files) {
    const writer = new TypeWriter(earlier);
    writer.declare(name, about, schema, leftOut);
    modules.set(module, writer.write());
    for (const declared of writer.names()) earlier.set(declared, module);
  }
  return modules;
}

class TypeWriter {
  readonly #declared = new Map<string, { readonly keys: string; readonly text: string }>();
  readonly #earlier: ReadonlyMap<string, string>;
  readonly #imported = new Map<string, Set<string>>();

  constructor(earlier: ReadonlyMap<string, string>) {
    this.#earlier = earlier;
  }

  names(): Iterable<string> {
    return this.#declared.keys();
  }

  write(): string {
    const imports = [...this.#imported].map(
      ([module, imported]) => `import type { ${[...imported].sort().join(", ")} } from "./${module}.ts";`,
    );
    return [
      "// Generated from the shapes of files by `npm run docs`.",
      "// biome-ignore-all format: one line for each key",
      ...(imports.length === 0 ? [] : ["", ...imports]),
      ...[...this.#declared.values()].flatMap(({ text }) => ["", text]),
      "",
    ].join("\n");
  }

  /** `within` is the key that takes such an object; empty for a whole file. */
  declare(name: string, about: string, schema: Schema, leftOut: ReadonlySet<string> = new Set(), within = ""): void {
    const keys = Object.keys(schema.properties ?? {}).join();
    const known = this.#declared.get(name);
    if (known !== undefined && known.keys !== keys) throw new Error(`two interfaces are called ${name}: ${keys}`);
    if (known !== undefined) return;
    this.#declared.set(name, { keys, text: "" });
    const referring = references[name] ?? [];
    const own = this.#properties(schema, within, (key) => !leftOut.has(key) && !referring.includes(key));
    const rest = this.#properties(schema, within, (key) => referring.includes(key));
    const base = name.replace(/Keys$/, "Base");
    const text =
      rest.length === 0 || own.length === 0
        ? [`/** ${about} */`, `export interface ${name} {`, ...own, ...rest, "}"]
        : [
            `/** ${about.replace(/\.$/, "")} that take no names of agents, tools, groups and sub-crews. */`,
            `export interface ${base} {`,
            ...own,
            "}",
            "",
            `/** ${about} */`,
            `export interface ${name} extends ${base} {`,
            ...rest,
            "}",
          ];
    this.#declared.set(name, { keys, text: text.join("\n") });
  }

  #properties(schema: Schema, within: string, isWanted: (key: string) => boolean): string[] {
    return (
      Object.entries(schema.properties ?? {})
        // What has no effect in a file is no key in code.
        .filter(([key, { deprecated }]) => isWanted(key) && !deprecated)
        .flatMap(([key, field]) => this.#property(key, field, schema.required?.includes(key) ?? false, within))
    );
  }

  #property(key: string, field: Schema, isRequired: boolean, within: string): string[] {
    const type = this.#type(field, within === "" ? key : `${within}.${key}`, false);
    const camel = camelCase(key);
    const absent = field.default === undefined ? "" : ` Default: \`${String(field.default)}\`.`;
    const about = `${capitalize(field.description ?? "")}.${absent}`;
    // A key that is needed may be given in either spelling, which loading checks.
    const mark = isRequired && camel === key ? "" : "?";
    const orUndefined = mark === "" || type === "unknown" ? "" : " | undefined";
    const line = (name: string) => `  /** ${about} */ readonly ${name}${mark}: ${type}${orUndefined};`;
    return camel === key ? [line(key)] : [line(camel), line(key)];
  }

  #type(schema: Schema, path: string, mayBeNull: boolean): string {
    const options = this.#options(schema, path);
    const all = mayBeNull ? options : options.filter((option) => option !== "null");
    return [...new Set(all)].join(" | ") || "unknown";
  }

  #options(schema: Schema, path: string): string[] {
    if (schema.enum !== undefined) return enumOptions(schema.enum);
    if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => this.#options(option, path));
    const types = [schema.type ?? []].flat();
    // A name may look like a number in YAML.
    const isName = types.includes("string") && !numbers.has(path);
    return types.filter((type) => !(isName && type === "number")).map((type) => this.#typeOf(type, schema, path));
  }

  #typeOf(type: string, schema: Schema, path: string): string {
    if (type === "array") {
      const item = this.#type(schema.items ?? {}, `${path}[]`, true);
      return `readonly ${item.includes(" | ") ? `(${item})` : item}[]`;
    }
    if (type !== "object") return type === "integer" ? "number" : type;
    if (schema.properties !== undefined) return this.#interface(schema, path);
    const value = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
    return `Readonly<Record<string, ${this.#type(value, path, true)}>>`;
  }

  #interface(schema: Schema, path: string): string {
    const last = path.slice(path.lastIndexOf(".") + 1);
    const key = last.replace("[]", "");
    const name =
      names[path] ?? names[last] ?? names[key] ?? `${capitalize(camelCase(key)).replace(/([^s])s$/, "$1")}Keys`;
    const module = this.#earlier.get(name);
    if (module !== undefined) this.#imported.set(module, (this.#imported.get(module) ?? new Set()).add(name));
    else this.declare(name, `The keys of an object under \`${key}\`.`, schema, new Set(), key);
    return name;
  }
}

function enumOptions(values: readonly unknown[]): string[] {
  const isFlag = values.includes(true) && values.includes(false);
  // YAML has other words for true and false.
  const isSpelling = (value: unknown) => /^(?:true|false|yes|no|on|off)$/i.test(String(value));
  const shown = values.filter((value) => value !== null && !(isFlag && isSpelling(value)));
  return [
    ...(isFlag ? ["boolean"] : []),
    ...shown.map((value) => JSON.stringify(value)),
    ...(values.includes(null) ? ["null"] : []),
  ];
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
