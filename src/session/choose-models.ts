import type { Attachment } from "../vocabulary/attachment.ts";
import { type Failure, nameSpeaker } from "../vocabulary/events.ts";
import { isTakenByAny, suggestTakers, takesType } from "../vocabulary/model-inputs.ts";
import type { Unsent } from "./open-request.ts";
import type { Session } from "./session.ts";

/** Who is called with what, or why nobody can be. */
type Chosen = { readonly caller: Session; readonly sent: Unsent } | { readonly failure: Failure };

/** The models of the chain that take all files of a request. Without files, that is the whole chain. */
export function chooseModels(session: Session, request: Unsent): Chosen {
  const { attachments } = request;
  if (attachments === undefined) return { caller: session, sent: request };
  const models = session.models.filter(({ name }) => attachments.every(({ mediaType }) => takesType(name, mediaType)));
  if (models.length === 0) return { failure: explain(session, attachments) };
  const passedOver = session.models.filter((model) => !models.includes(model)).map(({ name }) => name);
  if (passedOver.length === 0) return { caller: session, sent: request };
  return { caller: { ...session, models }, sent: { ...request, passedOver } };
}

/** Names the agent, each file that a model of the chain does not take, and who would take it. */
function explain({ models, place }: Session, attachments: readonly Attachment[]): Failure {
  const agent = nameSpeaker(place);
  const said = attachments.flatMap(({ name, mediaType }) => {
    const takers = models.filter((model) => takesType(model.name, mediaType)).map((model) => model.name);
    if (takers.length === models.length) return [];
    const who = takers.length > 0 ? `only ${takers.join(", ")} takes it` : "none of them takes it";
    return [`'${name}' (${mediaType}): ${who}${takers.length > 0 ? "" : suggest(mediaType)}`];
  });
  const chain = models.map(({ name }) => name).join(", ");
  const message = `no model of agent '${agent}' (${chain}) takes all files that the agent is given: ${said.join("; ")}`;
  return { code: "attachment_not_taken", message, agent, isLasting: true };
}

function suggest(mediaType: string): string {
  if (!isTakenByAny(mediaType))
    return ", nor does any other model: leave it out, or give the agent 'attachments: none'";
  const takers = suggestTakers(mediaType);
  return takers.length === 0 ? "" : `; ${takers.join(", ")} would`;
}
