import { fields, withDefault } from "./fields.ts";
import { word } from "./scalar-shapes.ts";
import { list } from "./shape.ts";

/** The keys of a project's baton.yaml, which also marks the project's folder. */
export const projectShape = fields({
  prompt_variables: withDefault(
    list(word),
    [],
    "environment variables that prompts and models of `.ai` files may refer to; secrets cannot be among them",
  ),
  webhook_secrets: withDefault(
    list(word),
    [],
    "environment variables that crews of the project may sign webhooks with, besides those called *_WEBHOOK_SECRET",
  ),
});
