import { BatonError, describeThrown } from "../vocabulary/errors.ts";
import { nameKind } from "../vocabulary/wording.ts";

/** The run for which a context is asked. */
export interface ContextRequest {
  readonly runId: string;
  /** The name of the crew. */
  readonly crew: string;
  /** For whom the run was started. */
  readonly user: string | undefined;
  /** The id of the conversation that the run belongs to. */
  readonly conversation: string | undefined;
  /** The variables of the run, which stand for `{{name}}` in prompts. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether the run began earlier, so that nothing of what it was started with is at hand but what is stored. */
  readonly isContinued: boolean;
}

/** The context of all runs, or a function that gives each run its own whenever the run starts or continues. */
export type ContextSource<Context extends object = object> =
  | Context
  | ((run: ContextRequest) => Context | Promise<Context>);

/** Such a source whose context has what is needed, as far as it has it at all. */
export type FittingContext<Source, Needed> = ContextSource &
  (Source extends (run: ContextRequest) => infer Given
    ? (
        run: ContextRequest,
      ) => Given extends PromiseLike<unknown> ? Promise<PartOf<Needed, Awaited<Given>>> : PartOf<Needed, Given>
    : PartOf<Needed, Source>);

/** The keys of the needed context that are given. */
type PartOf<Needed, Given> = Pick<Needed, keyof Needed & keyof Given>;

/** What such a source gives a run. */
export type GivenContext<Source> = Source extends (run: ContextRequest) => infer Given ? Awaited<Given> : Source;

/** The context of a run: what the crew gives, and above it what the caller gives. */
export async function resolveContext(
  source: ContextSource | undefined,
  own: object | undefined,
  request: ContextRequest,
): Promise<object> {
  const given = typeof source === "function" ? await call(source as ContextFunction, request) : source;
  return { ...given, ...own };
}

type ContextFunction = (run: ContextRequest) => object | Promise<object>;

async function call(source: ContextFunction, request: ContextRequest): Promise<object> {
  const refuse = (problem: string, cause?: unknown): never => {
    const message = `the function that gives run '${request.runId}' its context ${problem}`;
    throw new BatonError("context-failed", message, cause === undefined ? {} : { cause });
  };
  const given: unknown = await Promise.resolve()
    .then(() => source(request))
    .catch((cause: unknown) => refuse(`failed: ${describeThrown(cause)}`, cause));
  // Whoever writes JavaScript may return anything.
  if (typeof given === "object" && given !== null) return given;
  return refuse(`returned ${nameKind(given)}: return an object such as { db }`);
}
