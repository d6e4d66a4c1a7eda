import { BatonError } from "../vocabulary/errors.ts";
import type { Decision, Paused, ResumeAnswer } from "../vocabulary/pause.ts";

/** A typed line as the answer to a pause: words, or a decision, which may be shortened, and what belongs to it. */
export function readTypedAnswer(line: string, { options }: Paused): ResumeAnswer {
  if (options.includes("input") || options.includes("external")) return { input: line };
  if (options.includes("quota")) return { quota: readCaps(line) };
  const written = line.replace(/^\s*not\s+happened/i, "not_happened");
  const [, word = "", rest = ""] = /^\s*([^\s:]+)[\s:]*([\s\S]*)$/.exec(written) ?? [];
  const [decision, ...others] = options
    // Where no input, response or quota is asked for, every option is a decision.
    .map((option) => option.replace(/:.*$/, "") as Exclude<Decision, `redirect:${string}`> | "redirect")
    .filter((name) => name.startsWith(word.toLowerCase()));
  // The library refuses a line that is not a decision, and says which decisions there are.
  if (decision === undefined || others.length > 0) return { decision: line as Decision };
  const said = rest.trim();
  if (decision === "redirect") return { decision: `redirect:${said}` };
  if (decision === "edit") return { decision, args: readJson(said) };
  if (decision === "happened") return { decision, result: readResult(said) };
  return said === "" ? { decision } : { decision, input: said };
}

/** What a call gave. That it gave nothing must be said, because a forgotten result would go to the model as an empty one. */
function readResult(said: string): string {
  if (said === "")
    throw new BatonError(
      "bad-answer",
      'write the result of the call: happened <result>; if it returned nothing: happened ""',
    );
  return said === '""' ? "" : said;
}

/** Caps and their values: `max_cost_usd 2`, several of them, with whatever between them. */
function readCaps(line: string): Record<string, number> {
  const pairs = line.matchAll(/(?<![A-Za-z_])([A-Za-z_]+)[\s:=]+([\d.]+)/g);
  return Object.fromEntries([...pairs].map(([, name = "", value]) => [name, Number(value)]));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BatonError("bad-answer", 'the arguments must be JSON: edit {"name": "value"}', { cause });
  }
}
