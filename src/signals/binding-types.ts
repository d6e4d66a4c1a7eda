import { signalBehaviors } from "./signal-definition.ts";

/** What a binding may do: every behaviour of a signal, and two that only a binding can have. */
export const bindingTypes = [...signalBehaviors, "sub_crew", "external"] as const;

/** What a binding does, as `type` in `crew.yaml` takes it. */
export type BindingType = (typeof bindingTypes)[number];
