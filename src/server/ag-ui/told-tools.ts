import { type Event, EventType } from "@ag-ui/core";

/** How many characters of a tool's arguments or result are sent. The journal has all of them. */
const MAX_CHARACTERS = 65_536;

export interface CalledTool {
  readonly path: string;
  readonly tool: string;
  readonly args: unknown;
}

interface Tag {
  readonly subagentRunId?: string;
}

/** Tool calls of a run. A call is told once, also where it waited for an approval before it was made. */
export class ToldTools {
  readonly #prefix: string;
  readonly #called = new Set<string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  call(path: string, { tool, args }: Omit<CalledTool, "path">, tag: Tag): Event[] {
    if (this.#called.has(path)) return [];
    this.#called.add(path);
    const toolCallId = this.#idAt(path);
    // A model that wrote no JSON is told so; its words are the arguments.
    const delta = cut(typeof args === "string" ? args : (JSON.stringify(args) ?? ""));
    return [
      { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: tool, ...tag },
      { type: EventType.TOOL_CALL_ARGS, toolCallId, delta, ...tag },
      { type: EventType.TOOL_CALL_END, toolCallId, ...tag },
    ];
  }

  answer(path: string, result: string, tag: Tag): Event[] {
    if (!this.#called.has(path)) return [];
    const toolCallId = this.#idAt(path);
    const content = cut(result);
    return [
      {
        type: EventType.TOOL_CALL_RESULT,
        messageId: `${toolCallId}:result`,
        toolCallId,
        content,
        role: "tool",
        ...tag,
      },
    ];
  }

  /** The id of the call at a path, if it was told. */
  idOf(path: string): string | undefined {
    return this.#called.has(path) ? this.#idAt(path) : undefined;
  }

  /** The call that a path is within. */
  findAround(path: string): string | undefined {
    const around = /^(.*\/t\d+\/c\d+)\/(?!.*\/t\d+\/c\d+\/)/.exec(path)?.[1];
    return around === undefined ? undefined : this.idOf(around);
  }

  #idAt(path: string): string {
    return `${this.#prefix}${path}`;
  }
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)} [${text.length - MAX_CHARACTERS} more characters are in the journal]`;
}
