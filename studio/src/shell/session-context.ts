import { createContext, useContext } from "react";
import { allows, type Session } from "../api/session.ts";

export const SessionContext = createContext<Session>({ name: "", scopes: [], isLocal: false, canWrite: false });

/** Whether the person at the page may do what needs a scope. */
export function useMay(scope: string): boolean {
  return allows(useContext(SessionContext), scope);
}
