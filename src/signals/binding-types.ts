import { signalBehaviors } from "./signal-definition.ts";

/** What a binding may do: all that a signal can mean, and what only a binding can say. */
export const bindingTypes = [...signalBehaviors, "sub_crew", "external"] as const;

export type BindingType = (typeof bindingTypes)[number];
