import type { Model, ModelRequest } from "../models/model.ts";
import type { World } from "../orchestration/crew-run.ts";
import type { Agent } from "../vocabulary/crew.ts";

type Watch = (request: ModelRequest, model: Model) => void;

/** The same models. `watch` is called with each request before its model is. */
export function watchRequests(models: World["models"], watch: Watch | undefined): World["models"] {
  if (watch === undefined) return models;
  const chains = new Map<Agent, readonly Model[]>();
  return (agent) => {
    const chain = chains.get(agent) ?? models(agent).map((model) => watched(model, watch));
    chains.set(agent, chain);
    return chain;
  };
}

function watched(model: Model, watch: Watch): Model {
  const { name, listed, server } = model;
  return {
    name,
    listed,
    server,
    ...(model.findKey !== undefined && { findKey: model.findKey.bind(model) }),
    call(request) {
      watch(request, model);
      return model.call(request);
    },
  };
}
