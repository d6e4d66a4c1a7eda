import { type FormEvent, useState } from "react";
import { Command } from "../parts/command.tsx";
import { Problem } from "../parts/problem.tsx";
import { Logo } from "./logo.tsx";

/** What somebody sees who is not logged in: a field for a token, and how a link is made. */
export function LogInPage({
  problem,
  onLogIn,
}: {
  readonly problem: string | undefined;
  readonly onLogIn: (token: string) => Promise<void>;
}) {
  const [token, setToken] = useState("");
  const [refused, setRefused] = useState(problem);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onLogIn(token.trim()).catch((error: Error) => setRefused(error.message));
  };
  return (
    <main className="log-in">
      <form className="panel stack" onSubmit={submit}>
        <h1 className="row">
          <Logo />
          Baton studio
        </h1>
        <Problem text={refused} />
        <label className="field">
          <span>Your token</span>
          <input
            className="input mono"
            type="password"
            autoComplete="off"
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </label>
        <button type="submit" className="button primary" disabled={token.trim() === ""}>
          Log in
        </button>
        <div className="muted stack">
          <p>On your own machine you need no token: start the studio, and it opens in your browser.</p>
          <Command text="npx baton studio" />
        </div>
      </form>
    </main>
  );
}
