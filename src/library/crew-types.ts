import type { ToolContext } from "../tools/tool.ts";

/** What the compiler knows of a crew's runs. */
export interface CrewTypes {
  /** What `result.object` is. */
  readonly object: unknown;
  /** What each start must be given as `context`, since the crew's tools need it and the crew was not given it. */
  readonly context: object;
}

/** Options that must have a `context` where the crew's tools need one, and may be left out where they do not. */
export type OptionsWith<Options, Context extends object> =
  Record<never, never> extends Context
    ? [options?: Options]
    : [options: Options & { readonly context: Context & Readonly<Record<string, unknown>> }];

/** The context that the tools of a list or record need, together. */
export type NeededContext<Registry> = UnionToIntersection<ContextOf<ListedIn<Registry>>>;

/** The context that the functions of agents need, together. */
export type NeededByFunctions<Agent> = UnionToIntersection<ContextOfFunction<Agent>>;

/** What of the needed context nobody has given yet. */
export type MissingContext<Needed, Given> = { [Name in keyof Needed as Exclude<Name, keyof Given>]: Needed[Name] };

type ListedIn<Registry> = Registry extends readonly (infer Item)[] ? Item : Registry[keyof Registry];

/** In a box, since a union with something unknown is unknown. A tool that takes any context needs nothing. */
type ContextOf<Item> = Item extends { execute(args: unknown, context: ToolContext<infer Context>): unknown }
  ? { readonly needs: string extends keyof Context ? unknown : Context }
  : never;

type ContextOfFunction<Agent> = Agent extends {
  readonly run: (input: string, context: ToolContext<infer Context>) => unknown;
}
  ? { readonly needs: string extends keyof Context ? unknown : Context }
  : { readonly needs: unknown };

type UnionToIntersection<Boxes extends { readonly needs: unknown }> = (
  Boxes extends unknown
    ? (box: Boxes["needs"]) => void
    : never
) extends (box: infer Together) => void
  ? Together
  : never;
