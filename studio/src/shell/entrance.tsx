import { useEffect, useState } from "react";
import { loggedOut } from "../api/request.ts";
import { logIn, openSession, type Session } from "../api/session.ts";
import { App } from "../app.tsx";
import { LogInPage } from "./log-in-page.tsx";
import { SessionContext } from "./session-context.ts";

type State =
  | { readonly is: "opening" }
  | { readonly is: "open"; readonly session: Session }
  | { readonly is: "closed"; readonly problem: string | undefined };

/** Shows the studio to whoever is logged in, and a form to everybody else. */
export function Entrance() {
  const [state, setState] = useState<State>({ is: "opening" });
  useEffect(() => {
    opening ??= openSession();
    opening.then(
      (session) => setState(session === undefined ? { is: "closed", problem: undefined } : { is: "open", session }),
      (error: Error) => setState({ is: "closed", problem: error.message }),
    );
  }, []);
  useEffect(() => {
    const close = () =>
      setState((before) => (before.is === "open" ? { is: "closed", problem: "Your session has ended." } : before));
    loggedOut.addEventListener("logged-out", close);
    return () => loggedOut.removeEventListener("logged-out", close);
  }, []);
  if (state.is === "opening") return null;
  if (state.is === "closed")
    return (
      <LogInPage
        problem={state.problem}
        onLogIn={async (token) => setState({ is: "open", session: await logIn(token) })}
      />
    );
  return (
    <SessionContext value={state.session}>
      <App />
    </SessionContext>
  );
}

/** A code works once, and React may ask twice. */
let opening: Promise<Session | undefined> | undefined;
