import type { Ability, ErrorPolicy } from "../../flow/coverage/coverage-item.ts";
import type { BatonEvent, EventOf, Failure } from "../../vocabulary/events.ts";
import { type CrewLine, type CrewLines, findOuterPath } from "./crew-lines.ts";

/** A binding's call of sub-crews that has not come back yet. */
interface OpenCall {
  readonly agent: string;
  readonly signal: string;
  readonly fallbackCrew: string | undefined;
  readonly crews: number;
  /** How the newest attempt at each place ended. */
  readonly left: Map<string, boolean>;
}

/** Reads what was done about sub-crews that failed. */
export class PolicyReader {
  readonly #open = new Map<CrewLine, OpenCall>();

  read(event: BatonEvent, line: CrewLine, lines: CrewLines): Ability[] {
    const call = this.#open.get(line);
    switch (event.type) {
      case "handoff":
        return this.#hear(event, line, call);
      case "crew.retrying":
        return call === undefined ? [] : show(call, "retry");
      case "crew.entered": {
        const stands = event.data.crew === call?.fallbackCrew && isAttempt(event.path);
        return call !== undefined && stands ? show(call, "fallback") : [];
      }
      case "crew.left":
        if (isOfBinding(event.path))
          call?.left.set(event.path.replace(/\.\d+$/, ""), event.data.status === "completed");
        return [];
      case "run.failed":
        return this.leave(lines.at(""), event.data.error);
      default:
        return [];
    }
  }

  /** A crew that failed while a call was open passed that call's failure on. */
  leave(line: CrewLine, error: Failure | undefined): Ability[] {
    const call = this.#open.get(line);
    this.#open.delete(line);
    const isPassedOn = error?.code === "sub_crew_failed" || error?.code === "max_crew_depth";
    return call !== undefined && isPassedOn ? show(call, "propagate") : [];
  }

  #hear({ data }: EventOf<"handoff">, line: CrewLine, call: OpenCall | undefined): Ability[] {
    if (data.via !== "sub_crew") return [];
    if (!data.reason.startsWith("back from ")) {
      const signal = data.reason.replace(/^signal /, "");
      const move = line.crew.bindings.get(data.from)?.find((binding) => binding.signal === signal)?.move;
      if (move?.type === "sub_crew")
        this.#open.set(line, {
          agent: data.from,
          signal,
          fallbackCrew: move.fallbackCrew,
          crews: move.crews.length,
          left: new Map(),
        });
      return [];
    }
    this.#open.delete(line);
    if (call === undefined) return [];
    const succeeded = [...call.left.values()].filter((isGood) => isGood).length;
    return succeeded < call.crews ? show(call, "continue") : [];
  }
}

function show({ agent, signal }: OpenCall, policy: ErrorPolicy): Ability[] {
  return [{ kind: "policy", agent, signal, policy }];
}

/** Calls of bindings stand below a round of their own: `3/k0`, and `3/k0.1` for the next attempt. */
function isOfBinding(path: string): boolean {
  return /^k\d+(\.\d+)?$/.test(path.slice(path.lastIndexOf("/") + 1)) && /^(.*\/)?\d+$/.test(findOuterPath(path));
}

function isAttempt(path: string): boolean {
  return isOfBinding(path) && /\.\d+$/.test(path);
}
