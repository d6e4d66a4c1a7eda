import { fields, optional, required } from "./fields.ts";
import { duration, flag, label, text, word } from "./scalar-shapes.ts";
import { list, type Shape, spelled } from "./shape.ts";
import type { MapNode, YamlNode } from "./yaml-node.ts";

/** Where a remote agent is: the key `a2a` of an agent. */
export const remoteShape = spelled(
  text,
  fields({
    card: required(text, "the address of its card"),
    token_env: optional(word, "the environment variable with the token that it is called with"),
  }),
);

/** A remote agent that stands in `agents:` of crew.yaml and needs no file of its own. */
const entryShape = fields({
  id: required(word, "unique in the crew"),
  a2a: required(remoteShape, "the address of its A2A card, or `{card, token_env}`"),
  name: optional(label, "a name for people"),
  description: optional(text, "what the agent does; needed where it is offered to another agent"),
  specialties: optional(list(word), "what it is good at, for choosing who begins"),
  domain: optional(word, "its field, for choosing who begins"),
  is_terminal: optional(flag, "its answer ends the run unless a signal says otherwise"),
  tool_timeout: optional(duration, "how long a call may take"),
});

/** The ids of a crew's agents. What stands in the maps among them is read again as an agent is. */
export const agentList: Shape<readonly string[]> = {
  ...list(word),
  schema: { type: "array", items: { anyOf: [word.schema, entryShape.schema] } },
  read(node, name, reading) {
    if (node.kind !== "list") return list(word).read(node, name, reading);
    return node.items.flatMap((item) => {
      if (item.kind !== "map") return word.read(item, name, reading) ?? [];
      return entryShape.read(item, "remote agent", reading)?.id ?? [];
    });
  },
};

/** The maps of a crew's list of agents. */
export function listRemoteEntries(agents: YamlNode | undefined): readonly MapNode[] {
  return agents?.kind === "list" ? agents.items.filter((item) => item.kind === "map") : [];
}
