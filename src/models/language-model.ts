import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { buildCallOptions, type CallStyle } from "./call-options.ts";
import { CollectedTurn, type Finish } from "./collected-turn.ts";
import type { Model, ModelReply, ModelRequest } from "./model.ts";
import { readErrorInAnswer, toModelError } from "./provider-error.ts";
import { WireNames } from "./wire-names.ts";

interface Style extends CallStyle {
  readonly isStreamed: boolean;
}

/** Creates a model from any client of the AI SDK. */
export function createLanguageModel(name: string, client: LanguageModelV4, style: Style): Model {
  const collect = style.isStreamed ? collectStreamed : collectWhole;
  const call = async (request: ModelRequest): Promise<ModelReply> => {
    const names = new WireNames(request.tools);
    const collected = new CollectedTurn(request, names);
    const finish = await collect(client, buildCallOptions(request, name, style, names), collected);
    const reply = collected.reply(finish);
    const providerMetadata = style.wantsMarks === true ? collected.providerMetadata(name) : undefined;
    return providerMetadata === undefined ? reply : { ...reply, providerMetadata };
  };
  return { name, call };
}

async function collectWhole(
  client: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  collected: CollectedTurn,
): Promise<Finish> {
  const result = await convertErrors(client.doGenerate(options));
  for (const [index, part] of result.content.entries()) {
    if (part.type === "text") collected.addText(part.text);
    else if (part.type === "reasoning") collected.addReasoning({ ...part, id: `${index}` }, part.text);
    else if (part.type === "tool-call") collected.addCall(part);
  }
  collected.addModel(result.response?.modelId);
  return result;
}

/** Collects a streamed turn. It counts only if it ends in a known way and no error came in between. */
async function collectStreamed(
  client: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  collected: CollectedTurn,
): Promise<Finish | undefined> {
  const { stream } = await convertErrors(client.doStream(options));
  let finish: Finish | undefined;
  try {
    for await (const part of stream) finish = take(part, collected) ?? finish;
  } catch (error) {
    throw readErrorInAnswer(error);
  }
  return finish;
}

async function convertErrors<Value>(calling: PromiseLike<Value>): Promise<Value> {
  try {
    return await calling;
  } catch (error) {
    throw toModelError(error);
  }
}

function take(part: LanguageModelV4StreamPart, collected: CollectedTurn): Finish | undefined {
  if (part.type === "text-delta") collected.addText(part.delta);
  else if (part.type === "reasoning-start" || part.type === "reasoning-end") collected.addReasoning(part, "");
  else if (part.type === "reasoning-delta") collected.addReasoning(part, part.delta);
  else if (part.type === "tool-call") collected.addCall(part);
  else if (part.type === "response-metadata") collected.addModel(part.modelId);
  else if (part.type === "error") throw part.error;
  else if (part.type === "finish") return part;
  return undefined;
}
